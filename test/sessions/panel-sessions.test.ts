import { expect, test } from "vitest";
import { playPanelSession } from "./panel-session.ts";

/** Sessions to play: `ASIDE_PANEL_SESSIONS=1000 npx vitest run test/sessions/panel-sessions.test.ts` plays a thousand. */
const COUNT = Number(process.env["ASIDE_PANEL_SESSIONS"] ?? 8);
const FIRST = Number(process.env["ASIDE_PANEL_SEED"] ?? 1);

test.each(Array.from({ length: COUNT }, (_, index) => FIRST + index))(
  "seed %i: no word of the person is lost or spoken wrong in 25 steps of the panel",
  { timeout: 120_000 },
  async (seed) => {
    const { faults, steps } = await playPanelSession(seed, 25);
    expect({ faults, steps: faults.length === 0 ? [] : steps }).toEqual({ faults: [], steps: [] });
  },
);
