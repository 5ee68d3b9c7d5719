import { timecodeAt } from "../../src/core/timecode.ts";
import type { Actions } from "../controllers/actions.ts";
import { type ElementNode, element } from "../document/element.ts";
import { type ConformState, formForNew, newSeconds } from "../state/conform-state.ts";
import { forecastOf } from "../state/forecast.ts";
import type { PanelState } from "../state/panel-state.ts";
import { clockText, tenths } from "../words/numbers.ts";
import { words } from "../words/words.ts";
import { button, text } from "./controls.ts";

/** How much of the cut was never described, and what that would take; `null` where nothing is new. */
export function newLine(state: PanelState, conform: ConformState): string | null {
  const count = conform.stretches.length;
  if (count === 0) return null;
  const seconds = newSeconds(conform);
  const { credits, isLocal } = forecastOf(seconds, formForNew(state, conform), state.service, state.presets);
  const price = isLocal ? words.noCredits : words.creditsAbout({ count: tenths(Math.max(0.1, credits)) });
  return words.newStretches({ count, time: clockText(Math.round(seconds) * 1000), credits: price });
}

/** The stretches that are new, where each is, and the button that has them described alone; nothing where nothing is new. */
export function newPart(state: PanelState, conform: ConformState, actions: Actions): ElementNode[] {
  const line = newLine(state, conform);
  if (line === null) return [];
  const { descriptions } = conform.plan;
  const isFollowed = descriptions.every((description) => description.state === "unchanged");
  return [
    text(line, "strong"),
    element(
      "div",
      { class: "rows", id: "new-list", role: "list", "aria-label": words.newList },
      conform.stretches.map(({ inside }, index) => {
        const [start, end] = [inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0];
        const [from, to] = [timecodeAt(conform.sequence, start), timecodeAt(conform.sequence, end)];
        const onclick = () => actions.conformController.jump(start);
        return element(
          "div",
          { role: "listitem", key: `${start}` },
          element(
            "button",
            { class: "row", id: `new-${index + 1}`, "data-action": "conform-jump", onclick },
            words.newAt({ start: from, end: to }),
          ),
        );
      }),
    ),
    element(
      "div",
      { class: "actions" },
      button("describe-new", words.describeNew, () => actions.session.run(() => describeNew(actions))),
      isFollowed
        ? button("leave-new", words.leaveNew, () => actions.session.run(() => actions.conformController.leaveNew()))
        : null,
    ),
    text(isFollowed ? words.newHint : `${words.newHint} ${words.newFollows}`, "hint"),
  ];
}

/** Has the cues follow the cut, and what is new in it described. */
async function describeNew({ conformController, jobQueue }: Actions): Promise<void> {
  const order = await conformController.orderNew();
  if (order !== null) await jobQueue.describeNew(order);
}
