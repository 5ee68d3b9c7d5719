import { isDeepStrictEqual } from "node:util";
import type { Cue } from "../../src/core/cue.ts";
import { planDucking } from "../../src/core/duck-plan.ts";
import { cutOf, NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import type { ApplyReport } from "../../src/host/host.ts";
import { PremiereHost } from "../../src/host/premiere/premiere-host.ts";
import { planConform } from "../../src/workflow/conform/conform-sequence.ts";
import { DUCK_NOTE, type DuckClips, planDuckClips, planUnduck } from "../../src/workflow/place/duck-clips.ts";
import { cueClipName } from "../../src/workflow/place/narration-clips.ts";
import { planReplacement, replacementOf } from "../../src/workflow/place/replace.ts";
import { InstantClock } from "../fakes/instant-clock.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { MemoryWorld } from "../fakes/premiere/memory-world.ts";
import { startPremiere } from "../fakes/premiere/premiere.ts";
import { SAMPLE_SEQUENCE_ID, sampleProject, TICKS_PER_FRAME } from "../fakes/premiere/sample-project.ts";
import {
  type ProjectState,
  type SequenceState,
  type TrackItemState,
  type TrackState,
  withSequence,
} from "../fakes/premiere/state.ts";
import { SeededRandom } from "../fakes/seeded-random.ts";

const FPS = 25;
const FRAME = TICKS_PER_FRAME["25"];
/** A line of three seconds every so many frames. */
const LINE_EVERY = 450;
const LINE_SECONDS = 3;
const { signal } = new AbortController();

/** How large a film is played. Its length follows from its lines: 18 s each. */
export interface FilmSize {
  /** Clips with picture and their sound: twice as many clips. */
  readonly shots: number;
  /** Clips on the music track. */
  readonly music: number;
  readonly lines: number;
  /** Ripple edits between placing and conforming. */
  readonly edits: number;
  /** Whether the narration's track moves along with the edits, as Premiere has it unless an editor unlocks it. */
  readonly isInStep?: boolean;
}

/** What playing a film came to. */
export interface FilmReport {
  readonly clips: number;
  /** Laws that did not hold, in words. */
  readonly faults: readonly string[];
  /** Transactions of each part of the work, the seconds of pauses that Premiere is given, and the clips that were ducked. */
  readonly figures: Readonly<Record<string, { readonly transactions: number; readonly pauseSeconds: number }>>;
  readonly duckedClips: number;
}

/**
 * Plays a whole film on the double of Premiere: it is read, a synthetic result is placed with a clip for each line, ducked,
 * conformed after edits, the ducking taken away, and laid anew. After it nothing of the editor's has changed but by the edits.
 */
export async function playFilm(size: FilmSize, seed = 7): Promise<FilmReport> {
  const random = new SeededRandom(seed);
  const world = new MemoryWorld();
  const clock = new InstantClock();
  const project = film(size, random);
  const premiere = startPremiere({
    project,
    world,
    schedule: (run) => void setImmediate(run),
    now: () => clock.now(),
  });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [] },
    newFile: async () => "/aside/export.wav",
  });
  const state = (): SequenceState => premiere.machine.sequence(project.id, SAMPLE_SEQUENCE_ID);
  const faults: string[] = [];
  const figures: Record<string, { transactions: number; pauseSeconds: number }> = {};
  const counted = async (name: string, work: () => Promise<ApplyReport>): Promise<ApplyReport> => {
    const [steps, sleeps] = [premiere.machine.undoStack.length, clock.sleeps.length];
    const report = await work();
    // Every import is a step of Premiere's own.
    const made = premiere.machine.undoStack.slice(steps).filter(({ label }) => label !== "Import");
    const pauseSeconds = clock.sleeps.slice(sleeps).reduce((sum, one) => sum + one, 0) / 1000;
    figures[name] = { transactions: made.length, pauseSeconds: Math.round(pauseSeconds) };
    faults.push(...report.differences.map((difference) => `${name}: ${difference}`));
    return report;
  };
  const law = (isKept: boolean, what: string) => void (isKept || faults.push(what));

  const timeline = await host.readTimeline();
  const sequence = await host.readSequence();
  const cues = linesOf(size);
  const result = placedResult(cues, { durationSeconds: sequence.durationSeconds });
  const clips = cues.map((cue) => {
    const name = cueClipName(cue.id, cue.text);
    world.addSound(`/aside/${name}`, LINE_SECONDS);
    return { path: `/aside/${name}`, place: { cueId: cue.id, name, start: cue.start, durationSeconds: LINE_SECONDS } };
  });
  const placing = planReplacement({ ...replacementOf(result, { sequence, timeline }), clips });
  const { markerIds } = await counted("place", () => host.apply(placing, { signal }));

  const change = (name: string, { changes, note }: DuckClips) => {
    const order = { sequenceId: sequence.id, label: name, changes, note: { name: DUCK_NOTE, text: note } };
    return counted(name, () => host.changeLevels(order, { signal }));
  };
  const duckFor = async (lines: readonly Cue[]) =>
    planDuckClips(await host.readTimeline(), await host.readLevels(sequence.id), glidesOf(lines));
  const duck = await duckFor(cues);
  law(duck.changes.length > 0 && duck.leftAlone.length === 0, "not every clip under a line is ducked");
  await change("duck", duck);

  const cut = editsOf(size, cues, random);
  premiere.user.editSequence(SAMPLE_SEQUENCE_ID, "Cut", (before) => ({
    ...before,
    videoTracks: before.videoTracks.map((track) => cut.reduce(ripple, track)),
    audioTracks: before.audioTracks.map((track) =>
      track.name === NARRATION_TRACK_NAME && !size.isInStep ? track : cut.reduce(ripple, track),
    ),
  }));
  const recut = state();
  const layout = cutOf(timeline);
  const record = { ...result, placed: { ...result.placed, sequenceId: sequence.id, markerIds, layout } };
  const conform = planConform({ sequence, timeline: await host.readTimeline(), record });
  law(
    conform.descriptions.every((one) => one.state === "moved" || one.state === "unchanged"),
    "a line whose picture is whole did not go along",
  );
  await counted("conform", () => host.apply(conform.plan, { signal }));
  const voices = state().audioTracks.filter(({ name }) => name === NARRATION_TRACK_NAME);
  const heard = voices.flatMap(({ items }) => items.map(({ start, end }) => [start, end - start]));
  const length = BigInt(Math.round(LINE_SECONDS * FPS)) * FRAME;
  const wanted = conform.record.cues.map(({ start }) => [BigInt(Math.round(start * FPS)) * FRAME, length]);
  law(isDeepStrictEqual(heard.sort(byStart), wanted.sort(byStart)), "a line is not heard whole where its cue is");

  const note = await host.readNote(sequence.id, DUCK_NOTE);
  const away = planUnduck(await host.readTimeline(), await host.readLevels(sequence.id), note);
  await change("take the ducking away", away);
  law(away.leftAlone.length === 0 && theirs(state()).every(({ level }) => level === undefined), "a ducking is left");
  await change("duck anew", await duckFor(conform.record.cues));

  const plain = (one: SequenceState) => theirs(one).map(({ level: _, ...item }) => item);
  law(isDeepStrictEqual(plain(state()), plain(recut)), "a clip of the editor's changed");
  const notes = ({ markers }: SequenceState) => markers.filter(({ name }) => !name.startsWith("AD "));
  law(isDeepStrictEqual(notes(state()), notes(recut)), "a marker of the editor's changed");
  faults.push(...premiere.machine.violations);
  const count = timeline.tracks.reduce((sum, track) => sum + track.clips.length, 0);
  return { clips: count, faults, figures, duckedClips: duck.changes.length };
}

function byStart([a = 0n]: readonly bigint[], [b = 0n]: readonly bigint[]): number {
  return a < b ? -1 : 1;
}

/** The clips of all tracks but ours. */
function theirs({ videoTracks, audioTracks }: SequenceState): TrackItemState[] {
  const tracks = [...videoTracks, ...audioTracks].filter(({ name }) => name !== NARRATION_TRACK_NAME);
  return tracks.flatMap(({ items }) => [...items]);
}

function film({ shots, music, lines }: FilmSize, random: SeededRandom): ProjectState {
  const frames = lines * LINE_EVERY;
  const sample = sampleProject({ frames });
  const sequence = sample.sequences.get(SAMPLE_SEQUENCE_ID);
  if (sequence === undefined) throw new Error("the sample has no sequence");
  const cuts = new Set<number>();
  while (cuts.size < shots - 1) cuts.add(random.whole(1, frames - 1));
  const edges = [0, ...[...cuts].sort((a, b) => a - b), frames];
  const shot = (kind: string) => edges.slice(1).map((end, index) => clip(`${kind}-${index}`, edges[index] ?? 0, end));
  const every = Math.floor(frames / music);
  const score = Array.from({ length: music }, (_, index) => {
    const item = clip(`music-${index}`, index * every, index * every + Math.ceil(every * 0.8));
    return { ...item, itemId: "item-music" };
  });
  const [picture, sound, musicTrack] = [...sequence.videoTracks, ...sequence.audioTracks];
  const laid = (track: TrackState | undefined, items: readonly TrackItemState[]): TrackState => ({
    ...(track ?? { id: 0, name: "", isMuted: false }),
    transitions: [],
    items,
  });
  return withSequence(sample, {
    ...sequence,
    videoTracks: [laid(picture, shot("picture"))],
    audioTracks: [laid(sound, shot("sound")), laid(musicTrack, score)],
  });
}

/** A clip whose source began 100 frames before it: the two clocks differ. */
function clip(id: string, start: number, end: number): TrackItemState {
  const at = (frames: number) => BigInt(frames) * FRAME;
  const plain = { isDisabled: false, speed: 1, isReversed: false };
  const place = { start: at(start), end: at(end), inPoint: at(start + 100) };
  return { id, name: `${id}.mov`, ...place, itemId: "item-media", ...plain };
}

function linesOf({ lines }: FilmSize): Cue[] {
  return Array.from({ length: lines }, (_, index) => {
    const start = (index * LINE_EVERY + 100) / FPS;
    const text = `Line ${index + 1}.`;
    return { id: `cue-${String(index + 1).padStart(4, "0")}`, start, end: start + LINE_SECONDS, text };
  });
}

/** Levels that a service may have measured: every third line needs no room, the others differ. */
function glidesOf(cues: readonly Cue[]) {
  const lines = cues.map(({ id, start, end }) => {
    const number = Number(id.slice("cue-".length));
    const programmeLufs = number % 3 === 0 ? -60 : -24 - (number % 7);
    return { cueId: id, start, end, narrationLufs: -24, programmeLufs };
  });
  return planDucking(lines, []).glides;
}

/** A ripple edit: so many frames out of the film from a time on, or, negative, so many of nothing into it. */
interface Ripple {
  readonly at: number;
  readonly removed: number;
  readonly number: number;
}

/** Edits between lines, 2 s or more after one and before the next, the last one of the film first. */
function editsOf({ lines, edits }: FilmSize, cues: readonly Cue[], random: SeededRandom): Ripple[] {
  const places = new Set<number>();
  while (places.size < edits) places.add(random.whole(0, lines - 2));
  return [...places]
    .sort((a, b) => b - a)
    .map((place, number) => {
      const at = Math.round((cues[place]?.end ?? 0) * FPS) + random.whole(50, 100);
      const length = random.whole(5, 120);
      return { at, removed: random.whole(0, 1) === 0 ? length : -length, number };
    });
}

function ripple(track: TrackState, { at, removed, number }: Ripple): TrackState {
  const from = BigInt(at) * FRAME;
  const shift = BigInt(-removed) * FRAME;
  const rest = removed > 0 ? from - shift : from;
  const items = track.items.flatMap((item): TrackItemState[] => {
    const head = item.start < from ? [{ ...item, end: item.end < from ? item.end : from }] : [];
    if (item.end <= rest) return head;
    const start = item.start > rest ? item.start : rest;
    const inPoint = item.inPoint + (start - item.start);
    // A razor leaves both parts with the volume of the whole.
    const tail = { ...item, id: head.length > 0 ? `${item.id}/${number}` : item.id, inPoint };
    return [...head, { ...tail, start: start + shift, end: item.end + shift }];
  });
  return { ...track, items };
}
