// The host's side of the simulated board: a pseudo-terminal, its symbolic link, and reasons to end.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

[[noreturn]] inline void fail(int status, const std::string &message) {
    fprintf(stderr, "simulated board: %s\n", message.c_str());
    exit(status);
}

// Tells when the program is to end: a signal to do so, or the death of its parent, if it is given.
class Ending {
  public:
    explicit Ending(pid_t parent) : parent_(parent) {
        if (pipe(pipe_) != 0) fail(1, std::string("no pipe: ") + strerror(errno));
        for (int end : pipe_) fcntl(end, F_SETFL, O_NONBLOCK);
        signal(SIGPIPE, SIG_IGN);
        for (int number : {SIGTERM, SIGINT, SIGHUP, SIGUSR1}) {
            struct sigaction action = {};
            // Under nohup the end of the terminal is ignored.
            sigaction(number, nullptr, &action);
            if (number == SIGHUP && action.sa_handler == SIG_IGN) continue;
            action = {};
            action.sa_handler = handle;
            sigaction(number, &action, nullptr);
        }
#ifdef __linux__
        // Also sent when only the thread that started us ends: hence it is no more than a wake-up.
        if (parent) prctl(PR_SET_PDEATHSIG, SIGUSR1);
#endif
    }

    bool due() const { return signalled_ || (parent_ && getppid() != parent_); }

    // Readable when a signal came.
    int descriptor() const { return pipe_[0]; }

    void drain() const {
        char bytes[16];
        while (read(pipe_[0], bytes, sizeof bytes) > 0) continue;
    }

  private:
    static void handle(int number) {
        const int saved = errno;
        if (number != SIGUSR1) signalled_ = 1;
        if (write(pipe_[1], "", 1) < 0) errno = saved;
        errno = saved;
    }

    static inline volatile sig_atomic_t signalled_ = 0;
    static inline int pipe_[2];
    pid_t parent_;
};

// A pseudo-terminal in raw mode. Its other side is kept open here, too, so clients come and go
// without a hang-up in between.
class Terminal {
  public:
    Terminal() {
        master_ = posix_openpt(O_RDWR | O_NOCTTY);
        if (master_ < 0 || grantpt(master_) != 0 || unlockpt(master_) != 0)
            fail(1, std::string("no pseudo-terminal: ") + strerror(errno));
        name_ = ptsname(master_);
        slave_ = open(name_.c_str(), O_RDWR | O_NOCTTY);
        termios settings;
        if (slave_ < 0 || tcgetattr(slave_, &settings) != 0)
            fail(1, "cannot open " + name_ + ": " + strerror(errno));
        cfmakeraw(&settings);
        tcsetattr(slave_, TCSANOW, &settings);
        fcntl(master_, F_SETFL, O_NONBLOCK);
    }

    const std::string &name() const { return name_; }
    int descriptor() const { return master_; }
    uint64_t lost() const { return lost_; }
    bool unsent() const { return !outgoing_.empty(); }

    // Up to `most` bytes that a client wrote.
    std::string receive(size_t most) {
        char bytes[4096];
        const ssize_t count = read(master_, bytes, most < sizeof bytes ? most : sizeof bytes);
        return std::string(bytes, count > 0 ? size_t(count) : 0);
    }

    // The rate that a client has set, in bits per second; 0 if there is no telling.
    uint64_t rate() const {
#ifdef __linux__
        // The system's own structure: the C library's has no place for a rate that is no constant.
        struct {
            uint32_t flags[4];
            uint8_t line, characters[19];
            uint32_t input_speed, output_speed;
        } settings;
        return ioctl(slave_, _IOR('T', 0x2A, settings), &settings) == 0 ? settings.output_speed : 0;
#else
        termios settings;
        return tcgetattr(slave_, &settings) == 0 ? uint64_t(cfgetospeed(&settings)) : 0;
#endif
    }

    // Bytes for the client. They wait for one, but not in any number: it is a serial line.
    void send(uint8_t byte) {
        if (outgoing_.size() < 1 << 20) outgoing_.push_back(char(byte));
        else ++lost_;
    }

    void flush() {
        if (outgoing_.empty()) return;
        const ssize_t count = write(master_, outgoing_.data(), outgoing_.size());
        if (count > 0) outgoing_.erase(0, size_t(count));
    }

  private:
    int master_, slave_;
    std::string name_, outgoing_;
    uint64_t lost_ = 0;
};

// A symbolic link with a stable name, there as long as this object.
class Link {
  public:
    Link(const std::string &path, const std::string &target) : path_(path), target_(target) {
        if (path.empty()) return;
        struct stat found;
        if (lstat(path.c_str(), &found) == 0 && !S_ISLNK(found.st_mode))
            fail(2, "--link " + path + ": exists and is not a symbolic link");
        const std::string fresh = path + "." + std::to_string(getpid());
        if (symlink(target.c_str(), fresh.c_str()) != 0)
            fail(2, "--link " + path + ": " + strerror(errno));
        if (rename(fresh.c_str(), path.c_str()) != 0) {
            const int reason = errno;
            unlink(fresh.c_str());
            fail(2, "--link " + path + ": " + strerror(reason));
        }
    }

    Link(const Link &) = delete;

    // Removes the link, unless another board has taken the name over.
    ~Link() {
        char target[4096];
        const ssize_t count = readlink(path_.c_str(), target, sizeof target);
        if (count >= 0 && std::string(target, size_t(count)) == target_) unlink(path_.c_str());
    }

  private:
    std::string path_, target_;
};
