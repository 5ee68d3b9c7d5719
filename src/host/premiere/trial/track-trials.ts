import type { Action, ComponentParam } from "@adobe/premierepro";
import { isSamePath } from "../../files.ts";
import type { Trial, TrialProbe } from "../../host-error.ts";
import { clipsOn } from "../answers.ts";
import { applyPlan } from "../apply-plan.ts";
import { effectNames, levelOf } from "../change-levels.ts";
import { importFile, importFiles } from "../import-files.ts";
import { placing, select } from "../lay-clips.ts";
import { openSequence } from "../open-sequence.ts";
import { fetchItems, filesIn } from "../project-bin.ts";
import { readTracks } from "../read-snapshot.ts";
import type { TrackSnapshot } from "../snapshot.ts";
import { secondsFromTicks, TICKS_PER_SECOND, tickTime } from "../ticks.ts";
import { unboxed } from "../traced-premiere.ts";
import type { ApplyContext } from "../transactor.ts";
import { type Bench, LABEL, TRIAL } from "./trial-bench.ts";

/** Name of what is placed as the panel does it. */
const MARK = "Aside trial";

/** Longest time for what waits for the project panel, in milliseconds. */
const SLOW_LIMIT_MS = 60_000;

/** What is tried with bins, tracks and clips. */
export function trackTrials(bench: Bench): TrialProbe[] {
  const { premiere, clock, files } = bench.options;
  const { pace } = bench;
  return [
    {
      name: "Import into a bin",
      code: "src/host/premiere/import-files.ts src/host/premiere/project-bin.ts src/host/files.ts",
      limitMs: SLOW_LIMIT_MS,
      run: async (trial) => {
        const context = await bench.context(trial);
        const path = await bench.wave(2);
        const started = clock.now();
        const places = await importFiles(context, [path]);
        const shown = clock.now() - started;
        const told = (await filesIn(context, places)).find((file) => isSamePath(file.path, path))?.path;
        const before = (await fetchItems(context, places)).length;
        const again = await importFile({ ...context, pace: { ...pace, importPolls: 4 } }, path).catch(() => []);
        const bin = (await fetchItems(context, places)).length - before;
        const form = told === path ? "as it was given" : "in another form";
        return `shown after ${shown} ms, path ${form}; again: ${again.length > 0 ? `${bin} more` : "nothing new"}`;
      },
    },
    {
      name: "New track by overwriting",
      code: "src/host/premiere/new-audio-track.ts src/host/premiere/lay-clips.ts",
      run: (trial) => newTrack(bench, trial, "overwrite", 2, -1),
    },
    {
      name: "New track by overwriting, mono, video index 0",
      code: "src/host/premiere/lay-clips.ts",
      run: (trial) => newTrack(bench, trial, "overwrite", 1, 0),
    },
    {
      name: "New track by inserting",
      code: "src/host/premiere/new-audio-track.ts",
      run: (trial) => newTrack(bench, trial, "insert", 2, -1),
    },
    {
      name: "Volume keyframes",
      code: "src/host/premiere/change-levels.ts",
      run: async (trial) => volumeKeyframes(await bench.context(trial)),
    },
    {
      name: "Selection in its callback",
      code: "src/host/premiere/lay-clips.ts",
      run: async (trial) => {
        const context = await bench.context(trial);
        const { audioTracks, reference } = context.before;
        const trackIndex = trialTrack(audioTracks);
        if (trackIndex < 0) return "nothing of ours to remove";
        const before = audioTracks[trackIndex]?.clips.length ?? 0;
        await context.transactor.run(LABEL, async () => {
          const opened = await openSequence(premiere, reference);
          const items = await clipsOn(premiere, await opened.sequence.getAudioTrack(trackIndex));
          return (add, { editor }) => {
            premiere.TrackItemSelection.createEmptySelection((selection) => {
              select(selection, items, [0]);
              add(editor().createRemoveItemsAction(selection, false, premiere.Constants.MediaType.AUDIO));
            });
          };
        });
        const after = (await readTracks(premiere, reference, "audio"))[trackIndex]?.clips.length ?? 0;
        return `removed ${before - after} of ${before}`;
      },
    },
    {
      name: "Placing as the panel does",
      code: "src/host/premiere/apply-plan.ts src/host/premiere/apply-audio.ts",
      limitMs: SLOW_LIMIT_MS,
      run: async (trial) => {
        await bench.context(trial);
        const path = await bench.wave(2);
        const clipName = MARK;
        const operation = { signal: trial.signal };
        const apply = (steps: Parameters<typeof applyPlan>[1]["groups"][number]["steps"]) =>
          applyPlan(
            { premiere, clock, files, pace },
            { sequenceId: trial.sequenceId, groups: [{ label: LABEL, steps }] },
            operation,
          );
        const marker = {
          kind: "add-marker",
          cueId: "trial",
          start: 0,
          duration: 1,
          name: MARK,
          comment: "",
          colour: "cyan",
        } as const;
        const placed = await apply([marker, { kind: "place-audio", path, clipName, start: 0, durationSeconds: 1 }]);
        const removed = await apply([
          { kind: "remove-marker", cueId: "trial", markerId: placed.markerIds["trial"] ?? "" },
          { kind: "remove-audio", clipNames: [clipName] },
        ]);
        const told = [...placed.differences, ...(placed.notices ?? []), ...removed.differences];
        return `placed: ${placed.outcome} in ${placed.undoSteps} steps; removed: ${removed.outcome}${told.map((one) => `; ${one}`).join("")}`;
      },
    },
    {
      name: "Muting",
      code: "src/host/premiere/apply-plan.ts",
      run: async (trial) => {
        const { before } = await bench.context(trial);
        if (before.audioTracks.length === 0) return "no audio track";
        const track = async () => (await openSequence(premiere, before.reference)).sequence.getAudioTrack(0);
        const was = await (await track()).isMuted();
        await (await track()).setMute(!was);
        const now = await (await track()).isMuted();
        await (await track()).setMute(was);
        return now === was ? "does nothing" : "works";
      },
    },
  ];
}

/** Lays a sound behind the last track, and tells what came of it. */
async function newTrack(
  bench: Bench,
  trial: Trial,
  how: "overwrite" | "insert",
  channels: 1 | 2,
  videoIndex: number,
): Promise<string> {
  const context = await bench.context(trial);
  const { premiere, before, transactor } = context;
  const path = await bench.wave(channels);
  const imported = await importFiles(context, [path]);
  const step = { kind: "place-audio", path, clipName: MARK, start: 0, durationSeconds: 1 } as const;
  const laying = { trackIndex: before.audioTracks.length, videoIndex, how };
  await transactor.run(LABEL, placing(context, [step], imported, laying));
  const after = await readTracks(premiere, before.reference, "audio");
  const isSame = before.audioTracks.every(({ clips }, index) => {
    const now = after[index]?.clips ?? [];
    return now.length === clips.length && clips.every((clip, place) => clip.start === now[place]?.start);
  });
  const clips = after.slice(before.audioTracks.length).flatMap((track) => track.clips);
  const places = clips.map(({ start, end }) => `${secondsFromTicks(end - start)} s at ${secondsFromTicks(start)} s`);
  const count = after.length - before.audioTracks.length;
  return `${count} new, with ${places.join(", ") || "no clip"}; the others ${isSame ? "as they were" : "changed"}`;
}

/** The track that a clip of ours lies on, as its only one; -1 where there is none. */
function trialTrack(tracks: readonly TrackSnapshot[]): number {
  return tracks.findIndex(({ clips }) => clips.length === 1 && clips[0]?.name.startsWith(TRIAL) === true);
}

/** Two keyframes on the volume of a clip of ours, a quarter of a second apart, on the clock of its source. */
async function volumeKeyframes({ premiere, before, transactor }: ApplyContext): Promise<string> {
  const trackIndex = trialTrack(before.audioTracks);
  if (trackIndex < 0) return "nothing of ours to try it on";
  const chainOf = async () => {
    const { sequence } = await openSequence(premiere, before.reference);
    const [item] = await clipsOn(premiere, await sequence.getAudioTrack(trackIndex));
    return item !== undefined && "getComponentChain" in item ? item.getComponentChain() : null;
  };
  const names = await chainOf().then((chain) => (chain === null ? [] : effectNames(chain)));
  // Whatever it is called: the name is what is asked for.
  const volume = names.findIndex((name) => name.includes("Volume"));
  if (volume < 0) return `no volume among ${names.join(", ") || "no effects"}`;
  const inPoint = before.audioTracks[trackIndex]?.clips[0]?.inPoint ?? 0n;
  const wanted = [1n, 2n].map((quarter) => inPoint + (quarter * TICKS_PER_SECOND) / 4n);
  const change = (act: (level: ComponentParam) => readonly Action[]) =>
    transactor.run(LABEL, async () => {
      const chain = await chainOf();
      const level = chain === null ? null : await levelOf(chain, volume);
      return (add) => {
        if (level !== null) for (const action of act(level)) add(action);
      };
    });
  await change((level) => [level.createSetTimeVaryingAction(true)]);
  await change((level) =>
    wanted.map((ticks) => {
      const keyframe = level.createKeyframe(0.5);
      keyframe.position = tickTime(premiere, ticks);
      return level.createAddKeyframeAction(keyframe);
    }),
  );
  const level = await chainOf().then((chain) => (chain === null ? null : levelOf(chain, volume)));
  const times = (await level?.getKeyframeListAsTickTimes()) ?? [];
  const off = times.map(({ ticks }, index) => BigInt(ticks) - (wanted[index] ?? 0n));
  const [first] = times;
  const value = unboxed(first === undefined ? undefined : await level?.getKeyframePtr(first));
  return `${names[volume]}: ${times.length} of 2, ${off.join(" and ")} ticks off; 0.5 is ${String(value)}`;
}
