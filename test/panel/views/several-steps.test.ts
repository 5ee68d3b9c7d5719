import { expect, test } from "vitest";
import type { Actions } from "../../../panel/controllers/actions.ts";
import type { Child } from "../../../panel/document/element.ts";
import type { PanelState } from "../../../panel/state/panel-state.ts";
import { conformView } from "../../../panel/views/conform-view.ts";
import { connectView } from "../../../panel/views/connect-view.ts";
import { describeView } from "../../../panel/views/describe-view.ts";
import { words } from "../../../panel/words/words.ts";
import { placedResult } from "../../fakes/placed-result.ts";
import { jobEntry } from "../session-in-memory.ts";
import { happens } from "./drawn.ts";
import { viewPage } from "./view-page.ts";

const CLOUD = "https://cloud.example";
const HERE = "http://127.0.0.1:8420";
const { sequence } = jobEntry();
const READY: Partial<PanelState> = {
  sequence,
  shownKey: "••••",
  notEstimated: HERE,
  serviceSettings: {
    address: HERE,
    settings: {
      voices: [],
      ...Object.fromEntries(["describer", "dialogue", "voice"].map((name) => [name, { sends_to: null }])),
    },
  } as never,
};
const ELSEWHERE: Partial<PanelState> = {
  service: { address: CLOUD },
  addressDraft: CLOUD,
  shownKey: "••••",
  codeDraft: "123456",
  connection: { state: "works" } as never,
};
const RECUT = {
  conform: {
    sequence,
    record: placedResult([]),
    plan: { descriptions: [], findings: [], record: placedResult([]) },
    toRecord: null,
    stretches: [{ start: 4, end: 9, inside: [{ start: 5, end: 8 }] }],
  } as never,
};

type Draw = (state: PanelState, actions: Actions) => Child;
/** Buttons by their ids: where each is drawn, and what it does one after the other, with what that answers. */
const PRESSES: Readonly<
  Record<string, readonly [draw: Draw, state: Partial<PanelState>, steps: Readonly<Record<string, unknown>>]>
> = {
  describe: [
    (state, actions) => describeView(state, actions, false),
    READY,
    { "textController.areSettled": true, "jobQueue.order": null },
  ],
  "describe-new": [conformView, RECUT, { "conformController.orderNew": {}, "jobQueue.describeNew": null }],
  "test-connection": [connectView, ELSEWHERE, { "connection.test": null, "settingsController.look": null }],
  pair: [connectView, ELSEWHERE, { "connection.pair": null, "settingsController.look": null }],
  "start-companion": [connectView, {}, { "settingsController.start": null }],
  "look-again": [connectView, {}, { "settingsController.lookAgain": null }],
};

test.each(Object.entries(PRESSES))(
  "%s: whatever fails of its steps is told, and none after it is taken",
  async (id, press) => {
    const [draw, state, steps] = press;
    const names = Object.keys(steps);
    for (const [index, failing] of names.entries()) {
      const page = viewPage(state, { startCompanion: async () => true });
      for (const name of names) page.answers[name] = async () => steps[name];
      page.answers[failing] = () => Promise.reject(new Error(`${failing} fails`));
      happens(draw(page.session.state, page.actions), id, "click");
      await page.rest();
      const taken = page.did.map((one) => one.replace(/\(.*/, "")).filter((name) => names.includes(name));
      expect(taken).toEqual(names.slice(0, index + 1));
      expect(page.session.state.message).toMatchObject({ isFault: true });
      expect(page.said).not.toContain(words.companionAbsent);
    }
  },
);
