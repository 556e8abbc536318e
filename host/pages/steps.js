"use strict";
// Shows one turn of a game at a time. Without this script the page shows all of them.
{
  let current = null;

  function setUp(game) {
    const turns = [...game.querySelectorAll(".turn")];
    if (!turns.length) {
      return null;
    }
    const body = game.querySelector(".body");
    const stage = game.querySelector(".turns");
    const rows = [...game.querySelectorAll(".list tbody tr")];
    const graph = game.querySelector(".graph svg");
    const state = { game, turns, place: 0, show, step: (by) => show(state.place + by) };
    const buttons = [
      ["|◀", "first turn", () => show(0)],
      ["◀", "turn before", () => state.step(-1)],
      ["▶", "next turn", () => state.step(1)],
      ["▶|", "last turn", () => show(turns.length - 1)],
    ].map(([sign, label, act]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = sign;
      button.title = label;
      button.setAttribute("aria-label", label);
      button.addEventListener("click", () => {
        current = state;
        act();
      });
      return button;
    });
    const said = document.createElement("span");
    said.setAttribute("role", "status");
    const bar = document.createElement("div");
    bar.className = "steps";
    bar.append(buttons[0], buttons[1], said, buttons[2], buttons[3]);
    stage.prepend(bar);
    body.prepend(stage);

    function show(place) {
      state.place = Math.max(0, Math.min(turns.length - 1, place));
      turns.forEach((turn, each) => {
        turn.hidden = each !== state.place;
      });
      rows.forEach((row, each) => {
        if (each === state.place) {
          row.setAttribute("aria-current", "true");
        } else {
          row.removeAttribute("aria-current");
        }
      });
      const box = game.querySelector(".list .scrolled");
      const row = rows[state.place];
      box.scrollTop = row.offsetTop - (box.clientHeight - row.offsetHeight) / 2;
      said.textContent = `${state.place + 1} of ${turns.length}`;
      buttons[0].disabled = buttons[1].disabled = state.place === 0;
      buttons[2].disabled = buttons[3].disabled = state.place === turns.length - 1;
      if (graph) {
        const x = 10 * Math.min(state.place + 1, Number(graph.dataset.turns));
        graph.querySelector(".cursor").setAttribute("d", `M${x} 0V100`);
      }
    }

    if (graph) {
      graph.addEventListener("click", (event) => {
        const box = graph.getBoundingClientRect();
        const share = (event.clientX - box.left) / box.width;
        current = state;
        show(Math.round(share * Number(graph.dataset.turns)) - 1);
      });
    }
    game.addEventListener("pointerdown", () => {
      current = state;
    });
    game.addEventListener("focusin", () => {
      current = state;
    });
    game.classList.add("stepping");
    show(0);
    return state;
  }

  const states = [...document.querySelectorAll(".game")].map(setUp).filter(Boolean);
  current = states[0];

  function follow(hash) {
    for (const state of states) {
      const place = state.turns.findIndex((turn) => `#${turn.id}` === hash);
      if (place >= 0) {
        current = state;
        state.show(place);
        state.game.querySelector(".turns").scrollIntoView({ block: "nearest" });
      }
    }
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href^='#']");
    if (link) {
      follow(link.getAttribute("href"));
    }
  });
  window.addEventListener("hashchange", () => follow(location.hash));
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (target.matches(".scrolled") && target.scrollWidth > target.clientWidth) {
      return; // The keys move a wide table.
    }
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by && current && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      current.step(by);
      event.preventDefault();
    }
  });
  follow(location.hash);
}
