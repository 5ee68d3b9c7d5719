import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PanelEnvironment } from "../../../panel/session/environment.ts";
import type { Timeline } from "../../../src/core/timeline.ts";
import type { EditPlan } from "../../../src/host/edit-plan.ts";
import { HostError } from "../../../src/host/host-error.ts";
import { turns } from "../../fakes/set-clock.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../../made-timeline.ts";
import { sessionInMemory, TextFiles } from "../session-in-memory.ts";

const clip = (name: string) => madeClip(madeMedia(name, { hasVideo: false }), 0, 10);
const PROGRAMME = madeTrack("audio", [clip("take.wav")], { name: "A1" });
const NARRATION = madeTrack("audio", [clip("aside-harbour.wav")], { name: "Audio description" });
const muted = (track: typeof PROGRAMME) => ({ ...track, isEnabled: false });

/** An editor of two sequences that mutes tracks, or says that it did not. */
class MutingEditor {
  readonly sequences = new Map<string, Timeline>();
  active = "s1";
  mutes = true;
  /** How many plans were applied. */
  applied = 0;

  constructor(tracks: Timeline["tracks"]) {
    for (const id of ["s1", "s2"]) this.sequences.set(id, madeTimeline(tracks));
  }

  async readSequence() {
    return { id: this.active };
  }
  async readTimeline(): Promise<Timeline> {
    return this.sequences.get(this.active) ?? madeTimeline([]);
  }
  async apply({ sequenceId, groups }: EditPlan) {
    if (sequenceId !== this.active) {
      throw new HostError("no_sequence", "Another sequence is open.", { operation: "mute", state: "nothing" });
    }
    this.applied += 1;
    if (!this.mutes) return { outcome: "partial", differences: ["not muted"], markerIds: {} };
    const timeline = await this.readTimeline();
    const steps = groups.flatMap((group) => group.steps);
    const tracks = timeline.tracks.map((track, index) => {
      const step = steps.find((one) => one.kind === "mute-track" && one.trackIndex === index);
      return step?.kind === "mute-track" ? { ...track, isEnabled: !step.isMuted } : track;
    });
    this.sequences.set(sequenceId, { ...timeline, tracks });
    return { outcome: "done", differences: [], markerIds: {} };
  }
  heard(id = this.active): readonly boolean[] {
    return (this.sequences.get(id)?.tracks ?? []).map(({ isEnabled }) => isEnabled);
  }
}

/** A panel over an editor; another one over the same files is the panel opened again. */
function opened(editor: MutingEditor, files = new TextFiles()) {
  // What else an editor does is not asked of it.
  const asked = editor as unknown as PanelEnvironment["editor"];
  return { files, narration: sessionInMemory({ editor: asked }, files).session.narration };
}

/** The work of an export that never ends, because the panel is killed meanwhile. */
const killed = () => new Promise<never>(() => undefined);

describe("an export without the narration", () => {
  test("mutes it alone, and leaves every track as it was found, whatever becomes of the export", async () => {
    const ours = fc.constantFrom(NARRATION, muted(NARRATION), { ...NARRATION, name: "A7" });
    const tracks = fc.array(fc.oneof(fc.constantFrom(PROGRAMME, muted(PROGRAMME)), ours), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(tracks, fc.boolean(), async (others, fails) => {
        const editor = new MutingEditor([PROGRAMME, ...others]);
        const before = editor.heard();
        let during: readonly boolean[] = [];
        const work = async () => {
          during = editor.heard();
          if (fails) throw new Error("disk full");
        };
        const outcome = await opened(editor)
          .narration.silentDuring("s1", work)
          .then(() => "made", () => "failed"); // biome-ignore format: one choice
        expect(outcome).toBe(fails ? "failed" : "made");
        const isOurs = (index: number) => index > 0 && others[index - 1]?.clips[0]?.name.startsWith("aside-");
        expect(during).toEqual(before.map((isHeard, index) => isHeard && !isOurs(index)));
        expect(editor.heard()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test("is put back by the next panel where this one was killed, once its sequence is open, also where tracks came in since", async () => {
    const editor = new MutingEditor([PROGRAMME, NARRATION]);
    const { files, narration } = opened(editor);
    void narration.silentDuring("s1", killed);
    await expect.poll(() => editor.heard()).toEqual([true, false]);
    const next = opened(editor, files).narration;
    editor.active = "s2";
    await next.putBack();
    expect([editor.heard("s1"), editor.heard("s2")]).toEqual([[true, false], [true, true]]); // biome-ignore format: two
    editor.active = "s1";
    const { tracks } = await editor.readTimeline();
    editor.sequences.set("s1", madeTimeline([PROGRAMME, ...tracks]));
    await next.putBack();
    expect(editor.heard()).toEqual([true, true, true]);
    // What the editor mutes from here on stays muted.
    editor.sequences.set("s1", madeTimeline([PROGRAMME, muted(NARRATION)]));
    await next.putBack();
    await opened(editor, files).narration.putBack();
    expect(editor.heard()).toEqual([true, false]);
  });

  test("is put back later where another sequence is open when it ends, or the host does not do it", async () => {
    const editor = new MutingEditor([PROGRAMME, NARRATION]);
    const { narration } = opened(editor);
    await narration.silentDuring("s1", async () => {
      editor.active = "s2";
    });
    editor.active = "s1";
    editor.mutes = false;
    await narration.putBack();
    expect(editor.heard()).toEqual([true, false]);
    editor.mutes = true;
    await narration.putBack();
    expect(editor.heard()).toEqual([true, true]);
  });

  test("of two at a time, the narration is heard again after the last", async () => {
    const editor = new MutingEditor([PROGRAMME, NARRATION]);
    const { narration } = opened(editor);
    let endFirst = () => {};
    const first = narration.silentDuring("s1", () => new Promise<void>((resolve) => (endFirst = resolve)));
    await expect.poll(() => editor.heard()).toEqual([true, false]);
    await narration.silentDuring("s1", async () => undefined);
    await narration.putBack();
    expect(editor.heard()).toEqual([true, false]);
    endFirst();
    await first;
    expect(editor.heard()).toEqual([true, true]);
  });

  test.each([
    ["the host does not mute it", [PROGRAMME, NARRATION], /Premiere did not mute the track/],
    [
      "it shares a track with the programme",
      [madeTrack("audio", [clip("take.wav"), clip("aside-a.wav")], { name: "A1" })],
      /share the track “A1”/,
    ],
    ["nothing but a mix sounds", [muted(PROGRAMME), NARRATION], /The programme’s own tracks are muted/],
  ] as const)("is not made where %s, and that is said", async (_, tracks, said) => {
    const editor = new MutingEditor(tracks);
    editor.mutes = false;
    const before = editor.heard();
    let isMade = false;
    const made = opened(editor).narration.silentDuring("s1", async () => {
      isMade = true;
    });
    await expect(made).rejects.toThrow(said);
    expect([isMade, editor.heard()]).toEqual([false, before]);
  });

  test("touches nothing where no narration is placed, and asks nothing of a host that it has left nothing with", async () => {
    const editor = new MutingEditor([PROGRAMME, muted(NARRATION)]);
    const { files, narration } = opened(editor);
    await narration.silentDuring("s1", async () => undefined);
    await narration.putBack();
    expect([editor.applied, files.written]).toEqual([0, []]);
  });

  test("writes down what it mutes before it mutes it: the next panel knows of it, whenever this one is killed", async () => {
    const editor = new MutingEditor([PROGRAMME, NARRATION]);
    const { files, narration } = opened(editor);
    const written = Promise.withResolvers<void>();
    files.mayWrite = () => written.promise;
    const silent = narration.silentDuring("s1", async () => undefined);
    await turns();
    // Not muted, and not heard again already.
    expect([editor.heard(), editor.applied]).toEqual([[true, true], 0]);
    written.resolve();
    await silent;
    expect(editor.applied).toBe(2);
  });

  test("is refused wherever nothing of the programme would be heard without it, or where it lies among other clips", async () => {
    const mix = madeTrack("audio", [clip("aside-harbour.wav")], { name: "Mix" });
    const mixed = madeTrack("audio", [clip("take.wav"), clip("aside-harbour.wav")], { name: "A9" });
    const picture = madeTrack("video", [clip("take.mov")]);
    const outcome = (tracks: Timeline["tracks"]) =>
      opened(new MutingEditor(tracks))
        .narration.silentDuring("s1", async () => "made")
        .catch(({ message }: Error) => message);
    for (const tracks of [
      [muted(PROGRAMME), mix],
      [mix, muted(PROGRAMME)],
      [picture, mix, muted(PROGRAMME)],
    ]) {
      expect(await outcome(tracks)).not.toBe("made");
    }
    // Nothing is muted that could be heard in its place.
    expect(await outcome([mix, muted(madeTrack("audio", []))])).toBe("made");
    for (const tracks of [
      [PROGRAMME, mixed],
      [mixed, PROGRAMME],
      [PROGRAMME, NARRATION, mixed],
    ]) {
      expect(await outcome(tracks)).toContain("A9");
    }
  });
});
