import { describe, expect, test } from "vitest";
import type { Cue } from "../../../../src/core/cue.ts";
import { framesFromSeconds } from "../../../../src/core/frame-rate.ts";
import { formatTimecode } from "../../../../src/core/timecode.ts";
import { NARRATION_TRACK_NAME } from "../../../../src/host/edit-plan.ts";
import { PremiereHost } from "../../../../src/host/premiere/premiere-host.ts";
import { planPlacement } from "../../../../src/workflow/place/place.ts";
import { InstantClock } from "../../../fakes/instant-clock.ts";
import { MemoryWorld } from "../../../fakes/premiere/memory-world.ts";
import { type PremiereDouble, startPremiere } from "../../../fakes/premiere/premiere.ts";
import { SAMPLE_SEQUENCE_ID, sampleProject, TICKS_PER_FRAME } from "../../../fakes/premiere/sample-project.ts";
import type { DisplayFormat, ProjectState, SequenceState } from "../../../fakes/premiere/state.ts";

const WAV = "/aside/narration.wav";

/** Frames of the label 01:00:00:00 at each rate; drop-frame skips 108 labels in an hour at 29.97. */
const RATES: readonly { readonly display: DisplayFormat; readonly zeroFrame: bigint }[] = [
  { display: "23.976", zeroFrame: 86_400n },
  { display: "25", zeroFrame: 90_000n },
  { display: "29.97 DF", zeroFrame: 107_892n },
  { display: "59.94 DF", zeroFrame: 215_784n },
];

const IN_FRAME = 250;
const OUT_FRAME = 1_250;

function open(display: DisplayFormat, zeroFrame: bigint) {
  const world = new MemoryWorld();
  world.addSound(WAV, 20);
  const project = sampleProject({
    display,
    zeroPointTicks: zeroFrame * TICKS_PER_FRAME[display],
    inFrame: IN_FRAME,
    outFrame: OUT_FRAME,
  });
  const premiere = startPremiere({ project, world, schedule: (run) => void setImmediate(run) });
  const presets = [{ name: "p", path: "/presets/p.epr", origin: "ours", isProven: false }] as const;
  world.files.set("/presets/p.epr", { size: 1, facts: null });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock: new InstantClock(),
    files: world,
    presets: { list: async () => presets },
    newFile: async (extension) => `/aside/export.${extension}`,
  });
  return { premiere, host };
}

const sequenceOf = (premiere: PremiereDouble): SequenceState =>
  premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
const projectOf = (premiere: PremiereDouble): ProjectState => premiere.machine.project("project-sample");

/** Ten cues at uneven times, two of them back to back. */
const CUES: readonly Cue[] = Array.from({ length: 10 }, (_, index) => ({
  id: `c${index}`,
  start: index * 1.7 + 0.013 * index,
  end: index === 4 ? 5 * 1.7 + 0.065 : index * 1.7 + 1.211,
  text: `Description ${index + 1}.`,
}));

describe.each(RATES)("at $display, from in to out, with zero point 01:00:00:00", ({ display, zeroFrame }) => {
  const ticksPerFrame = TICKS_PER_FRAME[display];

  async function placed() {
    const { premiere, host } = open(display, zeroFrame);
    const before = projectOf(premiere);
    const operation = { signal: new AbortController().signal };
    const sequence = await host.readSequence();
    const exported = await host.exportSequence({ range: "in-to-out" }, operation);
    const { offsetSeconds } = exported;
    const audio = { path: WAV, clipName: "narration.wav", durationSeconds: 20 };
    const plan = planPlacement({ sequence, offsetSeconds, cues: CUES, audio });
    const report = await host.apply(plan, operation);
    return { premiere, before, sequence, exported, report };
  }

  test("PANEL-01 PANEL-33: rate, counting, zero point, in and out are read, and labels show the zero point", async () => {
    const { host } = open(display, zeroFrame);
    const sequence = await host.readSequence();
    const label = formatTimecode(sequence.startFrame, sequence);
    expect(label).toBe(sequence.isDropFrame ? "01:00:00;00" : "01:00:00:00");
    expect(sequence.isDropFrame).toBe(display.endsWith(" DF"));
    expect(framesFromSeconds(sequence.inPoint ?? 0, sequence.rate)).toBe(IN_FRAME);
    expect(framesFromSeconds(sequence.outPoint ?? 0, sequence.rate)).toBe(OUT_FRAME);
  });

  test("PANEL-28 PANEL-33 PANEL-34: each marker begins on the frame of its cue, counted from the in point", async () => {
    const { premiere, sequence, report } = await placed();
    expect(report).toMatchObject({ outcome: "done", differences: [] });
    const markers = sequenceOf(premiere).markers.filter((marker) => marker.name.startsWith("AD "));
    const frame = (seconds: number) => BigInt(framesFromSeconds(seconds, sequence.rate));
    const wanted = CUES.map((cue) => {
      const inSeconds = sequence.inPoint ?? 0;
      return { start: frame(cue.start + inSeconds), end: frame(cue.end + inSeconds) };
    });
    expect(markers.map(({ start }) => start)).toEqual(wanted.map(({ start }) => start * ticksPerFrame));
    expect(markers.map(({ start, duration }) => start + duration)).toEqual(
      wanted.map(({ end }) => end * ticksPerFrame),
    );
  });

  test("PANEL-30: the narration lies on a track of its own, by name, at the in point to the tick", async () => {
    const { premiere } = await placed();
    const { audioTracks } = sequenceOf(premiere);
    expect(audioTracks).toHaveLength(3);
    expect(audioTracks[2]).toMatchObject({ name: NARRATION_TRACK_NAME });
    expect(audioTracks[2]?.items.map(({ start }) => start)).toEqual([BigInt(IN_FRAME) * ticksPerFrame]);
  });

  test("PANEL-39: nothing else of the project has changed, and undoing every step gives it back whole", async () => {
    const { premiere, before } = await placed();
    const after = projectOf(premiere);
    const old = before.sequences.get(SAMPLE_SEQUENCE_ID);
    const ours = sequenceOf(premiere);
    const withoutOurs = {
      ...ours,
      markers: ours.markers.filter((marker) => !marker.name.startsWith("AD ")),
      audioTracks: ours.audioTracks.filter((track) => track.name !== NARRATION_TRACK_NAME),
    };
    expect(withoutOurs).toEqual(old);
    expect([...after.items.values()].filter(({ id }) => before.items.has(id))).toEqual([...before.items.values()]);
    while (premiere.user.undo() !== null);
    expect(sequenceOf(premiere)).toEqual(old);
  });
});
