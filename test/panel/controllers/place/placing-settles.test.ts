import { expect, test } from "vitest";
import { ConformController } from "../../../../panel/controllers/conform/conform-controller.ts";
import { JoinController } from "../../../../panel/controllers/conform/join-controller.ts";
import { ApplyController } from "../../../../panel/controllers/place/apply-controller.ts";
import { CopyController, removeCopy } from "../../../../panel/controllers/place/copy-controller.ts";
import { DuckController } from "../../../../panel/controllers/place/duck-controller.ts";
import { HeldCopyController } from "../../../../panel/controllers/place/held-copy-controller.ts";
import { PlaceController } from "../../../../panel/controllers/place/place-controller.ts";
import { keepRecord, noteOf } from "../../../../panel/session/kept-record.ts";
import { openReview } from "../../../../panel/state/opened-review.ts";
import { markerComment } from "../../../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/settings.ts";
import { cutOf, type EditPlan } from "../../../../src/host/edit-plan.ts";
import type { Result } from "../../../../src/result/result.ts";
import { voicedCues } from "../../../../src/result/stale.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../../made-timeline.ts";
import { type Answers, type HeldPanel, heldPanel, SEQUENCE } from "../../held-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";

const CUES = [
  { id: "a", start: 1, end: 2.5, text: "A woman sits." },
  { id: "b", start: 6, end: 7, text: "Rain." },
];
const SOUND = { path: "/projects/harbour.wav", start: 0, durationSeconds: 60 };
const WITH_SOUND = { audio: SOUND, voiced: voicedCues(CUES, DEFAULT_SETTINGS) } as unknown as Partial<Result>;
const DONE = { outcome: "done", differences: [], markerIds: {}, undoSteps: 1 };
const PICTURE = madeTimeline([
  madeTrack("video", [madeClip(madeMedia("film.mov"), 0, 60)]),
  madeTrack("audio", [madeClip(madeMedia("sound.wav"), 0, 60)]),
  madeTrack("audio", [madeClip(madeMedia("music.wav"), 0, 60)]),
]);
const COPY = { ...SEQUENCE, id: "copy", name: "Harbour AD" };

/** A panel with a result of two lines under review, on a sequence that has a picture and two sounds. */
function placing(change: Partial<Result> = {}, editor: Answers = {}, state: object = {}): HeldPanel {
  const panel = heldPanel(
    { longestLineCharacters: null },
    {
      editor: {
        readTimeline: PICTURE,
        readLevels: () =>
          PICTURE.tracks.flatMap(({ clips }, trackIndex) =>
            clips.map((_, clipIndex) => ({ trackIndex, clipIndex, sourceId: `${trackIndex}`, gain: 1, points: [] })),
          ),
        apply: DONE,
        changeLevels: DONE,
        openGaps: DONE,
        openSequence: COPY,
        copySequence: COPY,
        removeSequence: true,
        ...editor,
      },
    },
  );
  const job = jobEntry();
  panel.session.store.set({
    jobs: [job],
    sequence: SEQUENCE,
    review: openReview(placedResult(CUES, change), job),
    ...state,
  });
  return panel;
}

interface Controllers {
  readonly apply: ApplyController;
  readonly place: PlaceController;
  readonly duck: DuckController;
}

function controllersOf({ session }: HeldPanel): Controllers {
  const apply = new ApplyController(session);
  const duck = new DuckController(session, apply);
  const others = { voice: async () => undefined, duck: (how: { readonly continues: boolean }) => duck.lay(how) };
  return { apply, duck, place: new PlaceController(session, apply, others) };
}

/** The editor of a sequence on which a result was placed, whose picture has come two seconds later since. */
function moved(): Answers {
  const before = cutOf(PICTURE);
  const record = placedResult(CUES, {}, { markerIds: { a: "m1", b: "m2" }, layout: before } as never);
  const markers = CUES.map(({ id, start, end, text }, index) => ({
    id: `m${index + 1}`,
    start,
    end,
    name: `AD ${text}`,
    comment: markerComment(id, text),
  }));
  const later = madeTimeline([madeTrack("video", [madeClip(madeMedia("film.mov"), 2, 62)])], { markers });
  return {
    readNote: (_: string, name: string) => (name === "record" ? noteOf(record).text : null),
    readTimeline: later,
  };
}

const muting: EditPlan = {
  sequenceId: SEQUENCE.id,
  groups: [{ label: "mute", steps: [{ kind: "mute-track", trackIndex: 1, isMuted: true }] }],
};

/** What a person has the panel do on the timeline, what it needs, and what is asked of the editor. */
const DEEDS: Readonly<Record<string, readonly [() => HeldPanel, (panel: HeldPanel) => Promise<unknown>, RegExp]>> = {
  "places markers": [placing, (one) => controllersOf(one).place.markers(), /apply/],
  "places narration": [() => placing(WITH_SOUND), (one) => controllersOf(one).place.narration(), /apply/],
  "places all": [
    () => placing(WITH_SOUND, {}, { placesMarkers: true, placesNarration: true }),
    (one) => controllersOf(one).place.everything(),
    /apply/,
  ],
  "places markers alone": [
    () => placing({}, {}, { placesMarkers: true, placesNarration: false }),
    (one) => controllersOf(one).place.everything(),
    /apply/,
  ],
  "reads markers": [() => placing({}, moved()), (one) => controllersOf(one).place.readMarkers(), /readNote/],
  "shows findings": [
    () => placing({ findings: [{ rule: "cps", severity: "warning", cueIds: ["a"], message: "" }] as never }),
    (one) => controllersOf(one).place.findings(),
    /apply/,
  ],
  "shows findings of a cut that was changed since its export": [
    () => placing({ cut: { layout: cutOf(PICTURE) } } as never, { readTimeline: moved()["readTimeline"] }),
    async (one) => {
      await controllersOf(one).place.findings();
      expect(one.files.texts.size).toBeGreaterThan(0);
    },
    /readTimeline/,
  ],
  "mutes, and takes that back": [
    () => placing({ ...WITH_SOUND, track: "mixed" }),
    async (one) => {
      const { place } = controllersOf(one);
      await place.mute();
      await place.mute();
    },
    /apply.*apply/s,
  ],
  "takes a plan back": [
    placing,
    async (one) => {
      const { apply } = controllersOf(one);
      const more = async () => void (await one.session.library.saveResult(placedResult([])));
      await apply.apply("muting", muting, { recordBefore: placedResult(CUES), takenBack: more });
      apply.afterTakingBack(more);
      await apply.takeBack();
    },
    /apply.*apply/s,
  ],
  "lowers the programme": [
    () => placing(WITH_SOUND),
    (one) => controllersOf(one).duck.lay(),
    /exportSequence|readSequence/,
  ],
  "looks whether the programme is lowered": [placing, (one) => controllersOf(one).duck.look(), /readNote/],
  "gives the programme its volume": [placing, (one) => controllersOf(one).duck.remove(), /readNote/],
  "places on a copy, and takes that back": [
    () => {
      let active = SEQUENCE;
      return placing(
        {},
        {
          readSequence: () => active,
          copySequence: () => {
            active = COPY;
            return COPY;
          },
        },
      );
    },
    async (one) => {
      const { apply, place } = controllersOf(one);
      await new CopyController(one.session, apply, place).place();
      await apply.takeBack();
    },
    /copySequence.*apply.*removeSequence/s,
  ],
  "removes a copy": [
    placing,
    (one) => removeCopy(one.session, { original: SEQUENCE, copy: COPY, asLeft: PICTURE }),
    /removeSequence/,
  ],
  "places on a held copy": [
    () =>
      placing({
        ...WITH_SOUND,
        dialogue: [{ start: 3, end: 4, text: "Hello." }] as never,
        held: {
          holds: [{ at: 1, seconds: 3 }],
          heard: Object.fromEntries(CUES.map(({ id, start, end }) => [id, { start, end, words: "", estimate: 1 }])),
        } as never,
      }),
    (one) => new HeldCopyController(one.session, one.connection, controllersOf(one).apply).place(),
    /copySequence/,
  ],
  "follows the cut": [
    () => placing({}, moved()),
    (one) => new ConformController(one.session, controllersOf(one).apply, { record: async () => true }).apply(),
    /readNote/,
  ],
  "follows the cut, and takes that back": [
    () => placing({}, moved()),
    async (one) => {
      const { apply } = controllersOf(one);
      await new ConformController(one.session, apply, { record: async () => true }).apply();
      await apply.takeBack();
    },
    /apply.*apply/s,
  ],
  "orders what is new": [
    () => placing({}, moved()),
    (one) => new ConformController(one.session, controllersOf(one).apply, { record: async () => true }).orderNew(),
    /readNote/,
  ],
  "leaves what is new": [
    () => placing({}, moved()),
    async (one) => {
      const conform = new ConformController(one.session, controllersOf(one).apply, { record: async () => true });
      await conform.look();
      await conform.leaveNew();
    },
    /writeNote/,
  ],
  "brings in what is new": [
    () => placing({}, moved()),
    async (one) => {
      await keepRecord(one.session, placedResult(CUES));
      const join = new JoinController(one.session, controllersOf(one).apply);
      await join.take(jobEntry({ runId: "new", adds: { to: "run-1", stretches: [] } }), []);
    },
    /readNote/,
  ],
};

test.each(Object.entries(DEEDS))("%s, and is done when it says so", async (_, [panelOf, deed, wanted]) => {
  const panel = panelOf();
  expect(await panel.ports.settlesLast(() => deed(panel))).toBeNull();
  expect(panel.asked.join("\n")).toMatch(wanted);
  const other = panelOf();
  expect(await other.ports.settlesLast(() => deed(other), -1, "newest first")).toBeNull();
  for (let index = 0; index < panel.ports.calls.length; index++) {
    const again = panelOf();
    await again.ports.settlesLast(() => deed(again), index);
    expect(again.ports.left, `${again.ports.calls[index]} failed`).toEqual([]);
  }
});
