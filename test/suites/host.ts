import { beforeEach, describe, expect, test } from "vitest";
import { framesFromSeconds, framesPerSecond } from "../../src/core/frame-rate.ts";
import { timelineEnd } from "../../src/core/shown-media.ts";
import type { Timeline, TimelineClip } from "../../src/core/timeline.ts";
import type { AddMarker, EditPlan, EditStep, KeptText, PlaceAudio } from "../../src/host/edit-plan.ts";
import type { Host, SequenceCopier } from "../../src/host/host.ts";
import { HostError } from "../../src/host/host-error.ts";
import { planTakeBack } from "../../src/workflow/place/take-back.ts";

/** What the suite needs of an adapter of the {@link Host} port, and what that adapter can do. */
export interface HostUnderTest {
  /** Shows a picture with sound, of at least four seconds. */
  readonly host: Host & SequenceCopier;
  /** Makes a WAV file of mono silence; gives its path as the host's file port names it. */
  sound(name: string, seconds: number): Promise<string>;
  /** Size in bytes of a file that the host made; `null` where there is none. */
  size(path: string): Promise<number | null>;
  /** Takes back the last step of the host's undo history. `null`: the host has none. */
  readonly undo: (() => void) | null;
  /** Reads a text kept with the sequence. `null`: the host keeps none. */
  readonly readNote: ((name: string) => Promise<string | null>) | null;
  /** Whether a stretch can be exported; else it is refused. */
  readonly exportsStretches: boolean;
  /** What becomes of a plan that changes a marker which somebody has removed: nothing of it, or all the rest. */
  readonly vanishedMarker: "refused" | "reported";
}

const TRACK = "Audio description";
const signal = new AbortController().signal;

/** What every host must do, whatever it edits. */
export function hostSuite(name: string, open: () => Promise<HostUnderTest>): void {
  describe(`the host port, by ${name}`, () => {
    let under: HostUnderTest;
    let host: HostUnderTest["host"];
    let before: Timeline;
    let sequenceId: string;
    beforeEach(async () => {
      under = await open();
      host = under.host;
      before = await host.readTimeline();
      sequenceId = (await host.readSequence()).id;
    });

    const planOf = (steps: readonly EditStep[], note?: KeptText): EditPlan => ({
      sequenceId,
      groups: [{ label: "Place", steps }],
      ...(note === undefined ? {} : { note }),
    });
    const apply = (steps: readonly EditStep[]) => host.apply(planOf(steps), { signal });
    const marker = (number: number, fields: Partial<AddMarker> = {}): AddMarker => {
      const cueId = `cue-000${number}`;
      const comment = `Description ${number}\nAD·${cueId}`;
      const name = `AD ${number}`;
      return { kind: "add-marker", cueId, start: number, duration: 1, name, comment, colour: "cyan", ...fields };
    };
    const sound = async (name: string, start: number, seconds = 1): Promise<PlaceAudio> => {
      const path = await under.sound(name, seconds);
      return { kind: "place-audio", path, clipName: name, start, durationSeconds: seconds };
    };
    /** Where every clip of our tracks lies, in frames. */
    const ours = ({ tracks, rate }: Timeline) =>
      tracks
        .filter((track) => track.name === TRACK)
        .map(({ clips }) =>
          clips.map((clip) => [clip.name, framesFromSeconds(clip.start, rate), framesFromSeconds(clip.end, rate)]),
        )
        .filter((clips) => clips.length > 0);
    /** All that a plan for markers and tracks of ours may not touch. */
    const others = ({ tracks, markers }: Timeline) => ({
      tracks: tracks
        .filter((track) => track.name !== TRACK)
        .map(({ kind, name, isEnabled, clips }) => [kind, name, isEnabled, clips.map(shown)]),
      markers: markers.filter(({ name }) => !name.startsWith("AD")).map(({ id: _, ...marker }) => marker),
    });
    const frames = (seconds: number) => framesFromSeconds(seconds, before.rate);
    /** What a person sees of the markers of ours. */
    const seen = ({ markers }: Timeline) =>
      markers
        .filter(({ name }) => name.startsWith("AD"))
        .sort((a, b) => a.start - b.start)
        .map(({ name, comment, colour, start, end }) => [name, comment, colour, frames(start), frames(end)]);

    test("says of its sequence what its timeline says, and names it alike each time", async () => {
      const sequence = await host.readSequence();
      const { rate, isDropFrame, startFrame } = before;
      expect(sequence).toMatchObject({ id: sequenceId, rate, isDropFrame, startFrame });
      expect(sequence.name).not.toBe("");
      expect(frames(sequence.durationSeconds)).toBe(framesFromSeconds(timelineEnd(before), rate, "ceil"));
      expect(before.tracks.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["video", "audio"]));
    });

    test("PANEL-28: places markers as planned, names each, and leaves all else alone", async () => {
      const report = await apply([marker(1), marker(3, { colour: "red", duration: 0 })]);
      expect(report).toMatchObject({ outcome: "done", differences: [] });
      const after = await host.readTimeline();
      expect(seen(after)).toEqual([
        ["AD 1", "Description 1\nAD·cue-0001", "cyan", frames(1), frames(2)],
        ["AD 3", "Description 3\nAD·cue-0003", "red", frames(3), frames(3)],
      ]);
      expect(others(after)).toEqual(others(before));
      const idOf = (name: string) => after.markers.find((one) => one.name === name)?.id;
      expect(report.markerIds).toEqual({ "cue-0001": idOf("AD 1"), "cue-0003": idOf("AD 3") });
      expect(idOf("AD 1")).not.toBe(idOf("AD 3"));
    });

    test("PANEL-39: changes and removes the markers that its report named, and of them only what is said", async () => {
      const { markerIds } = await apply([marker(1), marker(2), marker(3)]);
      const [one = "", , three = ""] = ["cue-0001", "cue-0002", "cue-0003"].map((id) => markerIds[id]);
      const report = await apply([
        { kind: "change-marker", cueId: "cue-0003", markerId: three, start: 0, name: "AD 3b" },
        { kind: "remove-marker", cueId: "cue-0001", markerId: one },
      ]);
      expect(report).toMatchObject({ outcome: "done", differences: [] });
      const after = await host.readTimeline();
      expect(seen(after)).toEqual([
        ["AD 3b", "Description 3\nAD·cue-0003", "cyan", frames(0), frames(1)],
        ["AD 2", "Description 2\nAD·cue-0002", "cyan", frames(2), frames(3)],
      ]);
      expect(others(after)).toEqual(others(before));
    });

    test("PANEL-30: lays sound on a track of ours, at its place and whole", async () => {
      const step = await sound("one.wav", 1);
      expect(await apply([step])).toMatchObject({ outcome: "done", differences: [] });
      const after = await host.readTimeline();
      expect(ours(after)).toEqual([[["one.wav", frames(1), frames(2)]]]);
      const clip = after.tracks.find((track) => track.name === TRACK)?.clips[0];
      expect(clip).toMatchObject({ sourceStart: 0, speed: 1, isEnabled: true, source: { kind: "media" } });
      expect(others(after)).toEqual(others(before));
    });

    test("PANEL-39: never lays sound over what lies on our track: it takes a further one", async () => {
      await apply([await sound("one.wav", 1, 2)]);
      await apply([await sound("two.wav", 2)]);
      const after = await host.readTimeline();
      expect(ours(after)).toEqual([[["one.wav", frames(1), frames(3)]], [["two.wav", frames(2), frames(3)]]]);
    });

    test("PANEL-30: new sound takes the place of old sound in one plan", async () => {
      await apply([await sound("one.wav", 1, 2)]);
      const removal = { kind: "remove-audio", clipNames: ["one.wav"] } as const;
      expect(await apply([removal, await sound("two.wav", 1)])).toMatchObject({ outcome: "done", differences: [] });
      expect(ours(await host.readTimeline())).toEqual([[["two.wav", frames(1), frames(2)]]]);
    });

    test("PANEL-31: mutes the track at that place of its timeline, no other, and unmutes it", async () => {
      const trackIndex = before.tracks.findIndex(({ kind }) => kind === "audio");
      const states = async () => (await host.readTimeline()).tracks.map(({ isEnabled }) => isEnabled);
      const mute = (isMuted: boolean) => apply([{ kind: "mute-track", trackIndex, isMuted }]);
      const [was, muted] = [await states(), (await states()).with(trackIndex, false)];
      expect(await mute(true)).toMatchObject({ outcome: "done" });
      expect(await states()).toEqual(muted);
      expect(await mute(false)).toMatchObject({ outcome: "done" });
      expect(await states()).toEqual(was);
    });

    test("a plan without a step is done, and changes nothing", async () => {
      expect(await apply([])).toMatchObject({ outcome: "done", differences: [], markerIds: {} });
      expect(others(await host.readTimeline())).toEqual(others(before));
    });

    test.each([
      ["sound that is not there", { kind: "place-audio", path: "/nowhere/gone.wav", clipName: "gone.wav" }],
      ["a track that is not there", { kind: "mute-track", trackIndex: 99, isMuted: true }],
    ] as const)("PANEL-32: with %s a plan is refused as a whole", async (_, step) => {
      const impossible: EditStep = step.kind === "mute-track" ? step : { ...step, start: 1, durationSeconds: 1 };
      const groups = [
        { label: "Place markers", steps: [marker(1)] },
        { label: "Place narration", steps: [await sound("one.wav", 2), impossible] },
      ];
      const error = await host.apply({ sequenceId, groups }, { signal }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(HostError);
      expect(error).toMatchObject({
        code: step.kind === "mute-track" ? "apply_failed" : "file_not_found",
        state: "nothing was changed",
      });
      expect(await host.readTimeline()).toEqual(before);
    });

    test("PANEL-32: a change of a marker that is gone is told", async () => {
      const steps = [marker(1), { kind: "change-marker", cueId: "x", markerId: "gone", start: 2 } as const];
      const told = await apply(steps).catch((error: unknown) => error);
      if (under.vanishedMarker === "refused") {
        expect(told).toMatchObject({ name: "HostError", code: "apply_failed", state: "nothing was changed" });
        expect(await host.readTimeline()).toEqual(before);
      } else {
        expect(told).toMatchObject({ outcome: "partial", differences: [expect.stringMatching(/marker/)] });
        expect(seen(await host.readTimeline())).toHaveLength(1);
      }
    });

    test("refuses a plan that was made for another sequence", async () => {
      const groups = [{ label: "Place", steps: [marker(1)] }];
      const applied = host.apply({ sequenceId: "another", groups }, { signal });
      await expect(applied).rejects.toMatchObject({
        name: "HostError",
        code: expect.stringMatching(/^(apply_failed|no_sequence)$/),
        state: "nothing was changed",
      });
      expect(await host.readTimeline()).toEqual(before);
    });

    test("once cancelled it changes nothing, and gives the signal's own reason", async () => {
      const reason = new Error("stopped by the user");
      const cancelled = { signal: AbortSignal.abort(reason) };
      await expect(host.apply(planOf([marker(1)]), cancelled)).rejects.toBe(reason);
      await expect(host.exportSequence({ range: "whole" }, cancelled)).rejects.toBe(reason);
      expect(await host.readTimeline()).toEqual(before);
    });

    test("PANEL-41: a plan takes another one back", async () => {
      const placed = planOf([marker(1), await sound("one.wav", 1)]);
      const first = await host.apply(placed, { signal });
      const between = await host.readTimeline();
      const plan = planOf([
        {
          kind: "change-marker",
          cueId: "cue-0001",
          markerId: first.markerIds["cue-0001"] ?? "",
          start: 2,
          name: "AD x",
        },
        { kind: "remove-audio", clipNames: ["one.wav"] },
        await sound("two.wav", 1),
        marker(3),
      ]);
      const second = await host.apply(plan, { signal });
      const backTo = async (applied: EditPlan, was: Timeline, markerIds: Readonly<Record<string, string>>) => {
        const taken = planTakeBack({ plan: applied, before: was, markerIds }, await host.readTimeline());
        expect(await host.apply(taken.plan, { signal })).toMatchObject({ outcome: "done", differences: [] });
        const after = await host.readTimeline();
        expect([seen(after), ours(after), others(after)]).toEqual([seen(was), ours(was), others(was)]);
      };
      await backTo(plan, between, second.markerIds);
      const [now] = seen(await host.readTimeline());
      const id = (await host.readTimeline()).markers.find(({ name }) => name === now?.[0])?.id ?? "";
      await backTo(placed, before, { "cue-0001": id });
    });

    test("PANEL-41: its undo history takes back the plan and the text that is kept with it, where it has one", async () => {
      const { undoSteps } = await host.apply(planOf([marker(1)], { name: "record", text: "cues" }), { signal });
      if (under.readNote !== null) expect(await under.readNote("record")).toBe("cues");
      expect(seen(await host.readTimeline())).toHaveLength(1);
      expect(undoSteps === undefined).toBe(under.undo === null);
      for (let step = 0; step < (undoSteps ?? 0); step++) under.undo?.();
      if (under.undo === null) return;
      expect(await host.readTimeline()).toEqual(before);
      expect(await under.readNote?.("record")).toBeNull();
    });

    describe("on a copy of its sequence", () => {
      const name = "Harbour – described";
      const copy = (label = name) => host.copySequence({ sequenceId, name: label }, { signal });
      /** What two sequences have in common where one is a copy of the other. */
      const content = ({ tracks, markers }: Timeline) => ({
        tracks: tracks.map(({ kind, name, isEnabled, clips }) => [kind, name, isEnabled, clips.map(shown)]),
        markers: markers.map(({ id: _, ...marker }) => marker),
      });
      const applyTo = (id: string, steps: readonly EditStep[]) =>
        host.apply({ sequenceId: id, groups: [{ label: "Place", steps }] }, { signal });

      test("it holds what the original holds, has an identity and a name of its own, and is the active one", async () => {
        const info = await copy();
        expect(info).toEqual(await host.readSequence());
        expect([info.name, info.id === sequenceId]).toEqual([name, false]);
        expect(content(await host.readTimeline())).toEqual(content(before));
        expect((await host.openSequence(sequenceId)).id).toBe(sequenceId);
        expect(await host.readTimeline()).toEqual(before);
        expect((await host.openSequence(info.id)).name).toBe(name);
      });

      test("two copies of one name are told apart", async () => {
        const [first, second] = [await copy(), await copy()];
        expect(first.name).not.toBe(second.name);
        expect(new Set([first.id, second.id, sequenceId]).size).toBe(3);
      });

      test("what is placed on it is on the copy alone", async () => {
        const { id } = await copy();
        const report = await applyTo(id, [marker(1), await sound("one.wav", 1)]);
        expect(report).toMatchObject({ outcome: "done", differences: [] });
        const after = await host.readTimeline();
        expect([seen(after).length, ours(after).length]).toEqual([1, 1]);
        await host.openSequence(sequenceId);
        expect(await host.readTimeline()).toEqual(before);
      });

      test("as it was left it can be removed, and is gone; the original is the active one", async () => {
        const { id } = await copy();
        // A document of another format is written anew by the first change.
        await applyTo(id, [marker(3)]);
        const asLeft = await host.readTimeline();
        const { markerIds } = await applyTo(id, [marker(1), await sound("one.wav", 1)]);
        await applyTo(id, [
          { kind: "remove-marker", cueId: "cue-0001", markerId: markerIds["cue-0001"] ?? "" },
          { kind: "remove-audio", clipNames: ["one.wav"] },
        ]);
        expect(await host.removeSequence(id, { asLeft, opensInstead: sequenceId })).toBe(true);
        expect((await host.readSequence()).id).toBe(sequenceId);
        expect(await host.readTimeline()).toEqual(before);
        await expect(host.openSequence(id)).rejects.toMatchObject({ name: "HostError", code: "no_sequence" });
      });

      test.each([
        ["a marker", async () => marker(2)],
        ["a clip", async () => sound("two.wav", 2)],
        ["a muted track", async () => ({ kind: "mute-track", trackIndex: 0, isMuted: true }) as const],
      ])("with %s more it is worked on, and is not removed", async (_, step) => {
        const { id } = await copy();
        const asLeft = await host.readTimeline();
        await applyTo(id, [await step()]);
        const worked = await host.readTimeline();
        expect(await host.removeSequence(id, { asLeft, opensInstead: sequenceId })).toBe(false);
        await host.openSequence(id);
        expect(await host.readTimeline()).toEqual(worked);
      });

      test("a sequence that is not there is neither copied nor opened; once cancelled nothing is copied", async () => {
        const gone = { sequenceId: "gone", name };
        await expect(host.copySequence(gone, { signal })).rejects.toMatchObject({ code: "no_sequence" });
        await expect(host.openSequence("gone")).rejects.toMatchObject({ code: "no_sequence" });
        const reason = new Error("stopped by the user");
        const cancelled = host.copySequence({ sequenceId, name }, { signal: AbortSignal.abort(reason) });
        await expect(cancelled).rejects.toBe(reason);
        expect((await host.readSequence()).id).toBe(sequenceId);
      });
    });

    test("its progress is a share that never falls", async () => {
      const shares: number[] = [];
      const onProgress = ({ fraction = 0 }: { readonly fraction?: number }) => void shares.push(fraction);
      await host.apply(planOf([marker(1), await sound("one.wav", 1), marker(2)]), { signal, onProgress });
      expect(shares).toEqual(shares.toSorted((a, b) => a - b));
      for (const share of shares) expect(share).toSatisfy((value: number) => value >= 0 && value <= 1);
    });

    test("PANEL-05: exports the whole sequence to a file of its length, from its beginning", async () => {
      const { durationSeconds } = await host.readSequence();
      const media = await host.exportSequence({ range: "whole" }, { signal });
      expect(media).toMatchObject({ offsetSeconds: 0, contentType: "video/mp4" });
      expect(Math.abs(media.durationSeconds - durationSeconds) * framesPerSecond(before.rate)).toBeLessThan(1.01);
      expect(media.sizeBytes).toBeGreaterThan(0);
      expect(await under.size(media.path)).toBe(media.sizeBytes);
    });

    test("PANEL-06: exports a stretch from the nearest frame on, or says that it cannot", async () => {
      const exported = host.exportSequence({ range: { start: 1.013, end: 3 } }, { signal });
      if (!under.exportsStretches) {
        await expect(exported).rejects.toMatchObject({ name: "HostError", code: "export_failed" });
        return;
      }
      const media = await exported;
      expect(frames(media.offsetSeconds)).toBe(frames(1.013));
      expect(media.offsetSeconds).toBeCloseTo(frames(1.013) / framesPerSecond(before.rate), 9);
      expect(Math.abs(media.durationSeconds - (3 - media.offsetSeconds))).toBeLessThan(
        1 / framesPerSecond(before.rate),
      );
      expect(media.isTemporary).toBe(true);
    });
  });
}

/** What of a clip is seen or heard, and from which file; formats write one address in several ways. */
function shown({ name, start, end, sourceStart, speed, isEnabled, source, effects }: TimelineClip) {
  const file = source.kind === "media" ? source.location?.split("/").at(-1) : source.kind;
  return { name, start, end, sourceStart, speed, isEnabled, file, effects };
}
