import { describe, expect, test } from "vitest";
import { IS_THOROUGH } from "../thorough/thorough-test.ts";
import { playSession } from "./edit-session.ts";

describe("a session of 40 steps, the editor's and the plugin's in turn", () => {
  test.each(Array.from({ length: IS_THOROUGH ? 20 : 6 }, (_, index) => index + 1))(
    "seed %i: nothing of others changes, no word of the editor is lost, a second merge does nothing",
    async (seed) => {
      expect(await playSession(seed, 40)).toMatchObject({ faults: [] });
    },
  );
});
