import { expect, test } from "vitest";
import { readSpeech } from "../../../src/host/premiere/transcript.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { SAMPLE_SEQUENCE_ID, TICKS_PER_FRAME } from "../../fakes/premiere/sample-project.ts";
import type { ClipState, TrackItemState, TrackState } from "../../fakes/premiere/state.ts";
import { openSample } from "./open-premiere.ts";

const FRAME = TICKS_PER_FRAME["25"];
const said = (...words: readonly (readonly [string, number])[]) =>
  JSON.stringify({
    segments: [{ start: 0, duration: 60, words: words.map(([text, start]) => ({ text, start, duration: 0.4 })) }],
  });

/** A cut with sound tracks of these clips; the sample's media says "one" at 1 s, "two" at 2 s, and so on up to "five". */
async function heard(
  tracks: readonly (readonly Partial<TrackItemState>[])[],
  more: Partial<TrackState> = {},
  faults: Partial<Faults> = {},
) {
  const premiere = openSample({}, { faults });
  let asked = 0;
  premiere.machine.edit("project-sample", "Prepare", (draft) => {
    const media = draft.items.get("item-media") as ClipState;
    const items = new Map(draft.items);
    const words = ["one", "two", "three", "four", "five"].map((word, index) => [word, index + 1] as const);
    items.set(media.id, { ...media, transcript: said(...words) });
    const other: ClipState = { ...media, id: "item-other", name: "other", transcript: said(["other", 2]) };
    items.set(other.id, other);
    items.set("item-empty", { ...media, id: "item-empty", transcript: "no transcript" });
    const sequence = draft.sequences.get(SAMPLE_SEQUENCE_ID);
    if (sequence === undefined) throw new Error("the sample holds a sequence");
    const audioTracks = tracks.map((clips, index) => ({
      id: 10 + index,
      name: `Audio ${index + 1}`,
      isMuted: false,
      items: clips.map(
        (clip, place): TrackItemState => ({
          id: `ti-${index}-${place}`,
          name: "clip",
          start: 0n,
          end: 250n * FRAME,
          inPoint: 0n,
          isDisabled: false,
          speed: 1,
          isReversed: false,
          itemId: media.id,
          ...clip,
        }),
      ),
      ...more,
    }));
    return {
      ...draft,
      items,
      sequences: new Map(draft.sequences).set(SAMPLE_SEQUENCE_ID, { ...sequence, audioTracks }),
    };
  });
  const { exportToJSON } = premiere.module.Transcript;
  Object.defineProperty(premiere.module.Transcript, "exportToJSON", {
    value: (...given: Parameters<typeof exportToJSON>) => {
      asked += 1;
      return exportToJSON(...given);
    },
  });
  const spoken = await readSpeech(premiere.module, { projectId: "project-sample", sequenceId: SAMPLE_SEQUENCE_ID });
  return { words: spoken.map(({ text, start }) => `${text} ${Number(start.toFixed(3))}`), asked };
}

const ALL = ["one 1", "two 2", "three 3", "four 4", "five 5"];

test("what a clip shows of its source is said where it is shown", async () => {
  expect(await heard([[{}]])).toEqual({ words: ALL, asked: 1 });
  const cut = [{ start: 25n * FRAME, end: 75n * FRAME, inPoint: 50n * FRAME }];
  expect((await heard([cut])).words).toEqual(["two 1", "three 2"]);
});

test.each([{ isDisabled: true }, { isReversed: true }, { speed: 2 }, { speed: 0.5 }])(
  "a clip that is %j says nothing, and the others of its track are heard",
  async (change) => {
    const clip = { end: 100n * FRAME };
    const later = { start: 100n * FRAME, end: 200n * FRAME, itemId: "item-other" };
    expect((await heard([[{ ...clip, ...change }, later]])).words).toEqual(["other 6"]);
    expect((await heard([[clip, { ...later, ...change }]])).words).toEqual(ALL.slice(0, 3));
  },
);

test("a muted track says nothing", async () => {
  expect(await heard([[{}]], { isMuted: true })).toEqual({ words: [], asked: 0 });
});

test("a source is asked once for all its clips; each clip of a track, and each track, for its own", async () => {
  const [first, second] = [{ end: 50n * FRAME }, { start: 50n * FRAME, end: 100n * FRAME, inPoint: 50n * FRAME }];
  expect(await heard([[first, second], [{ itemId: "item-other" }]])).toEqual({
    words: ["one 1", "two 2", "three 3", "other 2"],
    asked: 2,
  });
});

test("a source without a transcript, one that is no clip, and a Premiere that cannot tell say nothing", async () => {
  expect(await heard([[{ itemId: "item-music" }]])).toEqual({ words: [], asked: 0 });
  expect(await heard([[{ itemId: "item-empty" }]])).toEqual({ words: [], asked: 1 });
  for (const wrongCast of ["null", "throws"] as const) {
    expect(await heard([[{ itemId: "item-root" }]], {}, { wrongCast })).toEqual({ words: [], asked: 0 });
  }
  expect(await heard([[{}]], {}, { version: "26.2" })).toEqual({ words: [], asked: 0 });
});
