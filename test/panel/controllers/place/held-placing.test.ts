import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { CopyController } from "../../../../panel/controllers/place/copy-controller.ts";
import { HeldCopyController } from "../../../../panel/controllers/place/held-copy-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import { words } from "../../../../panel/words/words.ts";
import { type Cue, markerComment } from "../../../../src/core/cue.ts";
import { cutOf } from "../../../../src/host/edit-plan.ts";
import { heldCues } from "../../../../src/result/held.ts";
import type { Result } from "../../../../src/result/result.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { madeClip, madeMedia, madeTrack } from "../../../made-timeline.ts";
import { type EditingPanel, editingPanel, FILM, withNarration } from "../../editing-panel.ts";

/** Two lines for which the programme is held, at 1 s for 3 s and at 6 s for 2 s. */
const LINES: readonly Cue[] = [
  { id: "a", start: 1, end: 1.04, text: "A woman sits at a desk." },
  { id: "b", start: 6, end: 6.04, text: "Rain." },
];
const HELD = heldCues(LINES, {
  holds: [
    { at: 1, seconds: 3 },
    { at: 6, seconds: 2 },
  ],
  heard: [
    { id: "a", start: 1.2, end: 3.8 },
    { id: "b", start: 9.2, end: 10.8 },
  ],
});
const DIALOGUE = [
  { start: 3, end: 4, text: "Hello." },
  { start: 20, end: 21, text: "Goodbye." },
];

/** Seconds that the service's voice takes for a line. */
const usually = (text: string): number => (text.includes("woman") ? 2.6 : 1.6);

function holding(change: Partial<Result> = {}, spoken = usually) {
  const panel = editingPanel({
    cues: LINES,
    generated: LINES,
    held: HELD,
    dialogue: DIALOGUE,
    cut: { layout: cutOf(FILM) },
    ...change,
  } as Partial<Result>);
  const asked: string[] = [];
  const lengths: (number | undefined)[] = [];
  panel.server.additions["GET voice_line"] = () => ({ body: { status: "available", maximum_characters: 1000 } });
  panel.server.additions["POST voice_line"] = ({ text, seconds: room }: { text: string; seconds?: number }) => {
    asked.push(text);
    lengths.push(room);
    const seconds = spoken(text);
    const wave = silentWav(seconds, 1);
    const sha256 = createHash("sha256").update(wave).digest("hex");
    return { body: { seconds, rate: 1, fits: true, audio: Buffer.from(wave).toString("base64"), sha256 } };
  };
  const apply = new ApplyController(panel.session);
  return { ...panel, asked, lengths, apply, held: new HeldCopyController(panel.session, panel.connection, apply) };
}
type Holding = ReturnType<typeof holding>;
const message = ({ session }: EditingPanel) => session.state.message;
const nameOf = async ({ editor }: EditingPanel) => (await editor.readSequence()).name;
const clips = ({ editor }: Holding, track: number) =>
  (editor.timeline.tracks[track]?.clips ?? []).map(({ start, end, sourceStart }) => [start, end, sourceStart]);
const NAME = words.heldCopyName({ name: "Harbour" });

describe("a copy that is held for extended descriptions", () => {
  test("has a gap for each hold, each line in its own, with its marker and its voice; captions lie beside it, and the original is as it was", async () => {
    const panel = holding();
    const before = panel.editor.timeline;
    await panel.does(() => panel.held.place());
    expect(await nameOf(panel)).toBe(NAME);
    expect(clips(panel, 0)).toEqual([
      [0, 1, 0],
      [4, 9, 1],
      [11, 65, 6],
    ]);
    expect(panel.markers()).toEqual(["1.2 3.8 A woman sits at a desk.", "9.2 10.8 Rain."]);
    expect(panel.voices()).toEqual([
      "aside-a A woman sits at a desk ece180de-0.wav 1.2",
      "aside-b Rain 0f41acb2-0.wav 9.2",
    ]);
    expect(panel.asked).toEqual(LINES.map(({ text }) => text));
    expect([...panel.files.texts.keys()].filter((path) => path.endsWith(".srt"))).toEqual([
      "/projects/harbour/Harbour-described-held.srt",
    ]);
    expect([...panel.files.texts].find(([path]) => path.endsWith(".srt"))?.[1].match(/[\d:,]+ --> [\d:,]+/g)).toEqual([
      "00:00:06,000 --> 00:00:07,000",
      "00:00:25,000 --> 00:00:26,000",
    ]);
    expect([...panel.files.bytes.keys()].filter((path) => path.includes("aside-hold-"))).toEqual([
      "/projects/harbour/aside-hold-75-at-25-1.wav",
      "/projects/harbour/aside-hold-50-at-25-1.wav",
    ]);
    expect([message(panel)?.text, message(panel)?.details]).toEqual([
      "Done: 2 holds, 5 s in all. Premiere’s Undo removes it in 2 steps.",
      [
        "It is on the copy “Harbour – described, held”, which is open. “Harbour” is unchanged.",
        "The picture is black in the holds. For a still: Clip, Insert Frame Hold Segment.",
        "Captions for the copy: /projects/harbour/Harbour-described-held.srt. Drag them there; its own may not have moved along.",
      ],
    ]);
    expect(panel.editor.notes.size).toBeGreaterThan(0);
    expect([...panel.files.texts.keys()].filter((path) => path.includes("record"))).toEqual([
      "/panel/results/sequence-s1-1.record.txt",
    ]);
    await panel.editor.openSequence("s1");
    expect(panel.editor.timeline).toEqual(before);
  });

  test("has every extended line of a standard description spoken at the voice's own pace: none has an end yet", async () => {
    const ids = LINES.map(({ id }) => id);
    for (const extendedIds of [ids, ["a"], ["b"]]) {
      const panel = holding({ held: undefined as never, extendedIds, mutedIds: extendedIds });
      await panel.does(() => panel.held.place());
      const extended = LINES.filter(({ id }) => extendedIds.includes(id));
      expect(panel.asked.slice(0, extended.length)).toEqual(extended.map(({ text }) => text));
      expect(panel.lengths.slice(0, extended.length)).toEqual(extended.map(() => undefined));
    }
  });

  test("is held for each extended line as long as its own voice takes", async () => {
    const ids = LINES.map(({ id }) => id);
    const held = async (spoken: (text: string) => number) => {
      const heldFor = { held: undefined as never, extendedIds: ids, mutedIds: ids };
      const panel = holding({ ...heldFor, speech: [{ start: 3, end: 5 }, { start: 8, end: 60 }] }, spoken); // biome-ignore format: one film
      await panel.does(() => panel.held.place());
      return Number(/^Done: 2 holds, (\d+) s in all/.exec(message(panel)?.text ?? "")?.[1]);
    };
    const before = await held(() => 20);
    for (const line of LINES) expect((await held((text) => (text === line.text ? 32 : 20))) - before).toBe(12);
  });

  test("goes again when that is taken back, as long as nobody has worked on it", async () => {
    const panel = holding();
    await panel.does(() => panel.held.place());
    await panel.does(() => panel.apply.takeBack());
    expect([await nameOf(panel), message(panel)?.text]).toEqual([
      "Harbour",
      words.copyRemoved({ name: NAME, original: "Harbour" }),
    ]);
    expect(panel.session.state.sequence?.id).toBe("s1");
    await panel.does(() => panel.held.place());
    const own = { id: "own", start: 3, end: 3, name: "Louder", comment: "", colour: "green" };
    panel.editor.timeline = { ...panel.editor.timeline, markers: [...panel.editor.timeline.markers, own] };
    await panel.does(() => panel.apply.takeBack());
    expect([await nameOf(panel), message(panel)?.text]).toEqual([NAME, words.copyStays({ name: NAME })]);
  });

  test("has markers alone where no single lines are voiced, which are counted", async () => {
    const panel = holding();
    panel.server.additions["GET voice_line"] = () => ({ body: { status: "unavailable" } });
    await panel.does(() => panel.held.place());
    expect([panel.markers().length, panel.voices()]).toEqual([2, []]);
    expect(message(panel)?.details).toContain(words.notVoiced({ count: 2 }));
    expect(panel.asked).toEqual([]);
  });

  test("has the voices that could be made, and says how many could not", async () => {
    const panel = holding();
    const voice = panel.server.additions["POST voice_line"];
    panel.server.additions["POST voice_line"] = (asked: { text: string }) =>
      asked.text.includes("woman")
        ? { status: 400, body: { error: "invalid_input", code: "voice_unavailable", message: "No voice." } }
        : (voice?.(asked) ?? { body: {} });
    await panel.does(() => panel.held.place());
    expect(message(panel)?.details).toContain(words.notVoiced({ count: 1 }));
    expect(panel.voices().length).toBe(1);
  });

  test("is not made of a cut that changed since, nor where the programme is held for nothing; both are said", async () => {
    const panel = holding();
    panel.editor.timeline = {
      ...FILM,
      tracks: [madeTrack("video", [madeClip(madeMedia("film.mov"), 0, 55, { sourceStart: 5 })])],
    };
    await panel.does(() => panel.held.place());
    expect([await nameOf(panel), message(panel)?.text, message(panel)?.isFault]).toEqual([
      "Harbour",
      words.noHolds,
      true,
    ]);
    const none = holding({ held: undefined as never });
    await none.does(() => none.held.place());
    expect([message(none)?.text, none.asked]).toEqual([words.noHolds, []]);
  });

  test("whose tracks did not all open gets nothing, says what did not, and can be taken back", async () => {
    const panel = holding({ dialogue: [] });
    panel.editor.report = { outcome: "partial", differences: ["A2 did not open"] };
    await panel.does(() => panel.held.place());
    expect(message(panel)).toMatchObject({
      text: words.notHeld,
      next: words.notHeldNext,
      isFault: true,
      details: [words.onCopy({ copy: NAME, original: "Harbour" }), "A2 did not open"],
    });
    expect([panel.markers(), panel.editor.applied]).toEqual([[], []]);
    panel.editor.report = {};
    await panel.does(() => panel.apply.takeBack());
    expect(await nameOf(panel)).toBe("Harbour");
  });

  test("says of captions that nobody can move them where what is said is not known", async () => {
    const panel = holding({ dialogue: [] });
    await panel.does(() => panel.held.place());
    expect(message(panel)?.details).toContain(words.captionsStay);
    expect([...panel.files.texts.keys()].some((path) => path.endsWith(".srt"))).toBe(false);
  });

  test("is made once, however often it is asked for meanwhile, and not beside other work", async () => {
    const panel = holding();
    let committed = 0;
    panel.session.commitTyped = () => {
      committed += 1;
    };
    await panel.does(() => Promise.all([panel.held.place(), panel.held.place()]));
    expect([panel.asked.length, committed >= 2]).toEqual([2, true]);
    const busy = holding();
    const held = Promise.withResolvers<void>();
    const work = busy.apply.work("working", () => held.promise);
    await busy.does(() => busy.held.place());
    expect(busy.asked).toEqual([]);
    held.resolve();
    await work;
  });

  test("takes the editor's own markers along with their picture", async () => {
    const panel = holding();
    const own = {
      id: "own",
      start: 5,
      end: 5.5,
      name: "Louder",
      comment: markerComment("x", "Louder"),
      colour: "green",
    };
    panel.editor.timeline = { ...FILM, markers: [{ ...own, name: "Louder", comment: "Louder" }] };
    await panel.does(() => panel.held.place());
    expect(
      panel.editor.timeline.markers.filter(({ name }) => name === "Louder").map(({ start, end }) => [start, end]),
    ).toEqual([[8, 8.5]]);
  });
});

describe("a copy that a result is placed on", () => {
  function copying() {
    const panel = editingPanel(withNarration());
    const apply = new ApplyController(panel.session);
    const place = new PlaceController(panel.session, apply, {
      voice: async () => undefined,
      duck: async () => undefined,
    });
    return { ...panel, apply, copy: new CopyController(panel.session, apply, place) };
  }
  const COPY = words.copyName({ name: "Harbour" });

  test("has all of it, the original nothing; the job knows it, on disk too, and it is opened the next time", async () => {
    const panel = copying();
    await panel.does(() => panel.copy.place());
    const { id } = await panel.editor.readSequence();
    expect([await nameOf(panel), panel.markers().length, panel.voices().length]).toEqual([COPY, 2, 2]);
    expect([
      panel.keptJob()?.copyId,
      panel.session.state.review?.sequence.id,
      panel.session.state.sequence?.id,
    ]).toEqual([id, id, id]);
    expect(message(panel)?.details?.[0]).toBe(words.onCopy({ copy: COPY, original: "Harbour" }));
    await panel.editor.openSequence("s1");
    expect([panel.markers(), panel.voices()]).toEqual([[], []]);
    await panel.does(() => panel.copy.place());
    expect((await panel.editor.readSequence()).id).toBe(id);
  });

  test("goes with what was placed on it when that is taken back; one that was there before, or was worked on, stays", async () => {
    const panel = copying();
    await panel.does(() => panel.copy.place());
    await panel.does(() => panel.apply.takeBack());
    expect([await nameOf(panel), panel.keptJob()?.copyId, panel.session.state.review?.sequence.id]).toEqual([
      "Harbour",
      undefined,
      "s1",
    ]);
    await panel.does(() => panel.copy.place());
    await panel.editor.openSequence("s1");
    panel.session.store.set({ canTakeBack: false });
    await panel.does(() => panel.copy.place());
    expect(panel.session.state.canTakeBack).toBe(false);
    expect(await nameOf(panel)).toBe(COPY);
  });
});
