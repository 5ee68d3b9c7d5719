import type { Clock } from "../../src/core/ports.ts";
import type { TrialProbe } from "../../src/host/host-error.ts";
import type { PanelDocument, PanelElement } from "../document/dom.ts";

/** How long it is waited for pictures and events, in milliseconds. */
const WAIT_MS = 400;

/** A picture of the plugin's own, 48 pixels wide and high. */
const PICTURE = "icons/plugin-list@1x.png";

/** Controls that the host draws, each beside the one of ours that it could stand for, as `name attribute=value`. */
const CONTROLS = [
  "button",
  "sp-button",
  "sp-action-button size=s",
  "input type=checkbox",
  "sp-checkbox",
  "input type=text",
  "sp-textfield",
] as const;

/**
 * Questions that UXP's document answers. The box that they need is there for as long as they take.
 *
 * @param heard Names of the events that `body` was told of so far; the click that began this was a press too.
 */
export function pageTrials(
  { document, clock }: { readonly document: PanelDocument; readonly clock: Pick<Clock, "sleep"> },
  heard: ReadonlySet<string>,
): TrialProbe[] {
  const withBox = async (style: string, child: PanelElement, look: (box: PanelElement) => Promise<string>) => {
    const box = document.createElement("div");
    box.setAttribute("style", style);
    box.appendChild(child);
    document.body.appendChild(box);
    try {
      return await look(box);
    } finally {
      document.body.removeChild(box);
    }
  };
  return [
    {
      name: "Mouse told on body",
      code: "panel/start-panel.ts",
      run: async () =>
        ["mousedown", "mouseup"].map((name) => `${name} ${heard.has(name) ? "told" : "not told"}`).join(", "),
    },
    {
      name: "Scrolling",
      code: "panel/start-panel.ts panel/views/review-view.ts panel/views.css",
      run: async ({ signal }) => {
        const inside = document.createElement("div");
        inside.setAttribute("style", "height: 400px");
        return withBox("height: 40px; overflow-y: scroll", inside, async (box) => {
          let isTold = false;
          box.addEventListener("scroll", () => (isTold = true));
          box.scrollTop = 30;
          await clock.sleep(WAIT_MS, signal);
          return `event ${isTold ? "told" : "not told"}, stands at ${box.scrollTop} of 30, ${box.clientHeight} high`;
        });
      },
    },
    {
      name: "Controls of the host",
      code: "panel/views/controls.ts panel/document/renderer.ts panel/controls.css",
      run: async ({ signal }) => {
        const row = document.createElement("div");
        const controls = CONTROLS.map((description) => {
          const [name, attribute] = description.split(" ");
          const control = document.createElement(name ?? "");
          const [key, value] = attribute?.split("=") ?? [];
          if (key !== undefined && value !== undefined) control.setAttribute(key, value);
          control.textContent = "Aside";
          row.appendChild(control);
          return { name: description, control };
        });
        return withBox("width: 300px", row, async () => {
          await clock.sleep(WAIT_MS, signal);
          const found = controls.map(({ name, control }) => {
            control.focus();
            const takesFocus = document.activeElement === control ? "takes the focus" : "takes no focus";
            return `${name}: ${control.clientWidth} by ${control.clientHeight}, ${takesFocus}`;
          });
          return found.join("; ");
        });
      },
    },
    {
      name: "Size of a picture",
      code: "panel/views/cue-row.ts panel/views.css",
      run: async ({ signal }) => {
        const picture = document.createElement("img");
        picture.setAttribute("style", "width: 48px");
        return withBox("width: 100px", picture, async () => {
          picture.setAttribute("src", PICTURE);
          await clock.sleep(WAIT_MS, signal);
          return `${picture.clientWidth} by ${picture.clientHeight}, wanted 48 by 48 from the width alone`;
        });
      },
    },
  ];
}
