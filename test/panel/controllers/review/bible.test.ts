import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withKnownOfFilm } from "../../../../panel/controllers/describe/known-of-film.ts";
import type { Session } from "../../../../panel/session/session.ts";
import { FIRST_FORM, type Form } from "../../../../panel/state/form.ts";
import type { JobEntry } from "../../../../panel/state/saved.ts";
import { readBible } from "../../../../src/formats/bible-text.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";

const BIBLE = [
  "// mine",
  "# Story",
  "She waits.",
  "",
  "# Persons",
  "the tall man = grey coat",
  "  name: Karl, from 00:00:03.000",
  "  picture: 00:00:01.500",
  "the woman = in red",
  "",
  "# Places",
  "a harbour =",
].join("\n");

/** A result whose bible a model drew up, under review, and its bible on show. */
async function known(bible: string | null = BIBLE): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  panel.server.report = { describer: "vision", ...(bible === null ? {} : { bible }) };
  await panel.describe();
  panel.menu().click("open-bible");
  await panel.sees("Add a person");
  return panel;
}

/** Opens the result from the history, and its bible. */
async function openKept(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("tab-history");
  await expect.poll(() => panel.page().withAttribute("data-action", "open").length).toBe(1);
  panel.page().withAttribute("data-action", "open")[0]?.happens("click");
  await expect.poll(() => panel.page().find("menu")).not.toBeNull();
  panel.menu().click("open-bible");
  await panel.sees("Add a person");
}

/** Types into a field, and does not leave it. */
function typeIn(panel: PanelOnDoubles, id: string, text: string): void {
  const field = panel.page().byId(id);
  field.value = text;
  field.happens("input");
}

const kept = (panel: PanelOnDoubles, id: string) => panel.page().find(id)?.value;

/** What the last order tells the service of the film. */
const sent = (panel: PanelOnDoubles) =>
  (panel.server.bodies("generateAudio").at(-1) as { generation_config: { describing?: { bible: string } } })
    .generation_config.describing?.bible;

async function describeAgain(panel: PanelOnDoubles): Promise<void> {
  const { accepted } = panel.server;
  panel.page().click("tab-describe");
  await panel.order();
  await expect.poll(() => panel.server.accepted).toBe(accepted + 1);
  await panel.sees("2 descriptions");
}

test("what is known of the film is read, and what was not corrected does not bind the next description", async () => {
  const panel = await known();
  expect(kept(panel, "bible-story")).toBe("She waits.");
  expect(kept(panel, "person-0-name")).toBe("Karl");
  expect(kept(panel, "person-0-from")).toBe("00:00:03:00");
  expect(kept(panel, "person-1-looks")).toBe("in red");
  expect(kept(panel, "places-0-label")).toBe("a harbour");
  await describeAgain(panel);
  expect(sent(panel)).toBeUndefined();
});

thoroughTest(
  "a correction is kept with each letter, outlasts a closed panel, and goes along with the next description",
  async () => {
    const panel = await known();
    typeIn(panel, "person-1-label", "Ann");
    panel.page().type("person-0-from", "+25");
    typeIn(panel, "add-things", "a letter");
    // Closed in the middle of a word.
    panel.close();
    panel.open();
    await panel.sees("Place on timeline");
    await openKept(panel);
    await expect.poll(() => kept(panel, "person-1-label")).toBe("Ann");
    expect(kept(panel, "things-0-label")).toBe("a letter");
    await describeAgain(panel);
    const text = sent(panel) ?? "";
    expect(text).toContain("// mine");
    expect(readBible(text).bible).toMatchObject({
      persons: [
        { label: "the tall man", name: "Karl", nameFrom: 4 },
        { label: "Ann", looks: "in red" },
      ],
      things: [{ label: "a letter", looks: "" }],
    });
    // Where no model looks at the film, it stays with the new result.
    panel.server.report = { describer: "text" };
    await describeAgain(panel);
    expect(sent(panel)).toBe(text);
    panel.menu().click("open-bible");
    await expect.poll(() => kept(panel, "person-1-label")).toBe("Ann");
    // The next run keeps it, though its result has another bible, and nobody corrected that one.
    await describeAgain(panel);
    expect(sent(panel)).toBe(text);
  },
);

test("a field that is emptied and written anew loses nothing beside it; what says nothing changes nothing", async () => {
  const panel = await known();
  for (const typed of ["Kar", "K", "", "C", "Carl"]) typeIn(panel, "person-0-name", typed);
  expect(kept(panel, "person-0-from")).toBe("00:00:03:00");
  typeIn(panel, "person-0-label", " ");
  // Letter by letter it stays as it is typed, until it is left.
  await expect.poll(() => kept(panel, "person-0-label")).toBe(" ");
  panel.page().type("person-0-label", "");
  await expect.poll(() => kept(panel, "person-0-label")).toBe("the tall man");
  panel.page().type("person-0-from", "never");
  await panel.sees("“never” is not a timecode");
  panel.page().click("remove-person-1");
  await expect.poll(() => panel.page().find("person-1-label")).toBeNull();
  expect(kept(panel, "person-0-name")).toBe("Carl");
});

test("what is typed into one film never comes into another", async () => {
  const panel = await known();
  typeIn(panel, "person-0-label", "Karl's brother");
  // Another result is shown before the field was left.
  panel.server.report = { describer: "vision", bible: "# Persons\nthe pilot = in blue" };
  await describeAgain(panel);
  panel.menu().click("open-bible");
  await expect.poll(() => kept(panel, "person-0-label")).toBe("the pilot");
  typeIn(panel, "person-0-label", "the old pilot");
  await expect.poll(() => kept(panel, "person-0-label")).toBe("the old pilot");
  expect(kept(panel, "person-0-looks")).toBe("in blue");
  expect(panel.page().find("person-1-label")).toBeNull();
});

test("a person has a picture where the service gives one, and a film that nobody looked at can be written of", async () => {
  const panel = await known();
  const [jobId] = panel.server.jobs.keys();
  const picture = { time: 1.5, width: 160, height: 90, jpeg: "AAAA" };
  panel.server.additions[`POST jobs/${jobId}/pictures`] = ({ at }: { at: number[] }) => ({
    body: { pictures: at.map((one) => ({ at: one, ...picture })) },
  });
  await openKept(panel);
  const pictures = () => panel.page().withAttribute("alt", "the tall man, in a picture of the film");
  await expect.poll(() => pictures()[0]?.attributes["src"]).toBe("data:image/jpeg;base64,AAAA");
  await expect.poll(() => panel.page().find("person-0-show")?.textContent).toBe("00:00:01:13");
  const other = await known(null);
  await other.sees("No model has looked at this film");
  typeIn(other, "add-person", "Ann");
  other.page().type("add-person", "Anna");
  await expect.poll(() => kept(other, "person-0-label")).toBe("Anna");
  expect(kept(other, "add-person")).toBe("");
  await describeAgain(other);
  expect(readBible(sent(other) ?? "").bible.persons).toEqual([{ label: "Anna", looks: "" }]);
});

describe("what an order tells of the film", () => {
  const sequence = { id: "s1" } as JobEntry["sequence"];
  const job = (runId: string, more: object = {}) =>
    ({ runId, sequence, serviceAddress: "https://ours.test", describer: "vision", ...more }) as JobEntry;

  /** What is sent of results by run, newest first. */
  async function told(
    jobs: readonly JobEntry[],
    results: Readonly<Record<string, { bible?: object; settings?: object }>>,
    form: Form = FIRST_FORM,
  ) {
    const session = {
      state: { jobs, service: { address: "https://ours.test" } },
      resultOf: async (runId: string) => ({ settings: {}, ...results[runId] }),
    };
    // All that the function asks of a session.
    const order = await withKnownOfFilm(session as unknown as Session, { sequence, form });
    return order.settings.describing?.bible;
  }

  test("is the correction that was made last, in whichever result", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat({ max: 28 }), { minLength: 1, maxLength: 5 }), async (days) => {
        const jobs = days.map((day) => job(String(day)));
        const at = (day: number) => `2026-11-${String(day + 1).padStart(2, "0")}T00:00:00.000Z`;
        const results = Object.fromEntries(
          days.map((day) => [String(day), { bible: { text: `of ${day}`, correctedAt: at(day) } }]),
        );
        expect(await told(jobs, results)).toBe(`of ${Math.max(...days)}`);
      }),
    );
  });

  test("is else what the newest result was given, and nothing of other sequences", async () => {
    const given = (bible: string) => ({ bible: { text: "found" }, settings: { describing: { bible } } });
    expect(await told([job("b"), job("a")], { a: given("A"), b: given("B") })).toBe("B");
    expect(await told([job("a", { sequence: { id: "s2" } })], { a: given("A") })).toBeUndefined();
    expect(await told([job("a", { voices: "b" })], { a: given("A") })).toBeUndefined();
  });

  test("is nothing beside a script, and nothing for a service that never said who described", async () => {
    const a = { bible: { text: "A", correctedAt: "2026-11-01T00:00:00.000Z" } };
    const { describer: _, ...silent } = job("a");
    expect(await told([silent], { a })).toBeUndefined();
    expect(await told([silent, job("b", { sequence: { id: "s2" } })], { a })).toBe("A");
    const script = { ...FIRST_FORM, scriptFile: { filename: "s.vtt", content: "" } };
    expect(await told([job("a")], { a }, script)).toBeUndefined();
  });
});
