import { expect, test } from "vitest";
import { IS_THOROUGH } from "../thorough/thorough-test.ts";
import { playPanelSession } from "./panel-session.ts";

/** Sessions to play: `ASIDE_PANEL_SESSIONS=1000 npx vitest run test/sessions/panel-sessions.test.ts` plays a thousand. */
const COUNT = Number(process.env["ASIDE_PANEL_SESSIONS"] ?? (IS_THOROUGH ? 12 : 1));
/** Sessions in which words were heard once that were not to be. */
const FOUND = [632, ...(IS_THOROUGH ? [468] : [])];
const FIRST = Number(process.env["ASIDE_PANEL_SEED"] ?? 1);

test.each([...new Set([...Array.from({ length: COUNT }, (_, index) => FIRST + index), ...FOUND])])(
  "seed %i: no word of the person is lost or spoken wrong in 25 steps of the panel",
  { timeout: 120_000 },
  async (seed) => {
    const { faults, steps } = await playPanelSession(seed, 25);
    expect({ faults, steps: faults.length === 0 ? [] : steps }).toEqual({ faults: [], steps: [] });
  },
);
