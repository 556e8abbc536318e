"""Options and arguments that several subcommands share."""
