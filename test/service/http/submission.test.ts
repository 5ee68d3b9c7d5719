import { expect, test } from "vitest";
import { DEFAULT_SETTINGS } from "../../../src/core/settings.ts";
import type { Caller } from "../../../src/service/http/authenticate.ts";
import type { ServiceParts } from "../../../src/service/http/service-parts.ts";
import { type AskedFor, accept } from "../../../src/service/http/submission.ts";
import { RequestError } from "../../../src/service/request-error.ts";
import { turns } from "../../fakes/set-clock.ts";
import { recordsOf } from "../written-records.ts";

// What a job is accepted by, the cheapest first: nothing dear is begun before a text was found readable.

const text = (parameter: string) => ({ parameter, content: "x", formats: "EDL" });
const asked = {
  order: {
    ...{ kind: "text", settings: DEFAULT_SETTINGS, track: "mixed", resolution: "Auto" },
    texts: [text("captions"), text("script")],
  },
  ignored: [],
  keyed: null,
} as AskedFor;
const team = { id: "t", name: "north", plan: {} } as unknown as Caller; // what is asked of it before media are taken in

test.each([["captions"], ["captions", "script"]])("no media are taken in once %s cannot be read", async (...read) => {
  const seen: string[] = [];
  const texts = {
    async requireCues(_team: string, { parameter }: { readonly parameter: string }) {
      seen.push(parameter);
      await turns(3);
      if (parameter === read.at(-1)) throw new RequestError("invalid_input", `"${parameter}" holds no cue.`);
    },
  };
  const parts = { texts, database: recordsOf([]) } as unknown as ServiceParts; // nothing else is asked
  const takeIn = () => expect.unreachable();
  await expect(accept(parts, team, asked, { takeIn })).rejects.toMatchObject({ code: "invalid_input" });
  await turns(6);
  expect(seen).toEqual(read);
});

test("no text is read for media that are not the team's", async () => {
  const texts = { requireCues: () => expect.unreachable() };
  const parts = { texts, database: recordsOf([[/FROM aside.media/, []]]) } as unknown as ServiceParts; // as above
  await expect(accept(parts, team, asked, { mediaId: "m" })).rejects.toMatchObject({ code: "not_found" });
});
