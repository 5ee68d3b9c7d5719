import { ServiceConnection } from "../../panel/session/connection.ts";
import type { PanelEnvironment } from "../../panel/session/environment.ts";
import type { Session } from "../../panel/session/session.ts";
import { openReview } from "../../panel/state/opened-review.ts";
import type { JobEntry } from "../../panel/state/saved.ts";
import { Client } from "../../src/client/client.ts";
import type { Cue } from "../../src/core/cue.ts";
import type { Timeline, Track } from "../../src/core/timeline.ts";
import { type EditPlan, type KeptText, NARRATION_TRACK_NAME } from "../../src/host/edit-plan.ts";
import type { ClipLevel, GapOrder, LevelOrder } from "../../src/host/editor.ts";
import { applyPlan } from "../../src/host/headless/apply-plan.ts";
import { CopyingHost, type KeptSequence, SequenceCopies } from "../../src/host/headless/sequence-copies.ts";
import type { ApplyReport, ExportedMedia, ExportRequest, SequenceInfo } from "../../src/host/host.ts";
import { HostError } from "../../src/host/host-error.ts";
import type { Result } from "../../src/result/result.ts";
import { voicedCues } from "../../src/result/stale.ts";
import { HostedServer } from "../fakes/hosted-server.ts";
import { placedResult } from "../fakes/placed-result.ts";
import { silentWav } from "../fakes/wav.ts";
import { madeClip, madeMedia, madeTimeline, madeTrack } from "../made-timeline.ts";
import { HeldPorts } from "./held-ports.ts";
import { jobEntry, type SessionInMemory, sessionInMemory, TextFiles } from "./session-in-memory.ts";

/** A minute of silence, which nobody changes. */
const SILENCE = silentWav(60, 1);

/** Files in memory, texts and others. */
class MemoryFiles extends TextFiles {
  readonly bytes = new Map<string, Uint8Array>();
  /** Folders that were made. */
  readonly folders: string[] = [];

  override async size(path: string): Promise<number | null> {
    return this.bytes.get(path)?.length ?? super.size(path);
  }
  async readBytes(path: string, position: number, length: number): Promise<Uint8Array> {
    const bytes = this.bytes.get(path) ?? new TextEncoder().encode(this.texts.get(path) ?? "");
    return bytes.slice(position, position + length);
  }
  override async remove(path: string): Promise<void> {
    this.bytes.delete(path);
    await super.remove(path);
  }
  async rename(from: string, to: string): Promise<void> {
    const bytes = this.bytes.get(from);
    if (bytes === undefined) throw new Error(`no file ${from}`);
    this.bytes.set(to, bytes);
    this.bytes.delete(from);
  }
  async makeFolder(path: string): Promise<void> {
    this.folders.push(path);
  }
  override async list(folder: string): Promise<string[]> {
    const others = [...this.bytes.keys()].filter((path) => path.startsWith(`${folder}/`));
    return [...(await super.list(folder)), ...others.map((path) => path.slice(folder.length + 1))];
  }
  async openWriter(path: string) {
    let bytes: Uint8Array = new Uint8Array(0);
    this.bytes.set(path, bytes);
    return {
      write: async (position: number, more: ArrayBuffer): Promise<void> => {
        const longer = new Uint8Array(Math.max(bytes.length, position + more.byteLength));
        longer.set(bytes);
        longer.set(new Uint8Array(more), position);
        bytes = longer;
        this.bytes.set(path, bytes);
      },
      close: async (): Promise<void> => undefined,
    };
  }
}

/** An editor over sequences in memory: what is applied to them is there. */
class MemoryEditor extends CopyingHost<KeptSequence> {
  readonly markersPerUndoStep = 50;
  /** Texts that are kept with sequences, by sequence and name. */
  readonly notes = new Map<string, string>();
  /** Every plan that was applied, in order. */
  readonly applied: EditPlan[] = [];
  /** Every order for volumes, in order. */
  readonly ordered: LevelOrder[] = [];
  /** Every export that was asked for, in order, with the tracks that sounded meanwhile. */
  readonly exports: (ExportRequest & { readonly sounding: readonly string[] })[] = [];
  /** Where the playhead was moved, in order, in seconds. */
  readonly moved: number[] = [];
  /** What differs in what is told of a plan. */
  report: Partial<ApplyReport> = {};
  /** The sound that an export makes, and where it begins on the sequence. */
  sound: { wave: Uint8Array; offsetSeconds: number } = { wave: SILENCE, offsetSeconds: 0 };
  /** The cut of the exported sequence, where that is told. */
  durationSeconds = 60;
  levels: readonly ClipLevel[] | null = null;
  project: { id: string | null; folder: string | null } = { id: "project", folder: null };
  readonly #memory: MemoryFiles;

  constructor(files: MemoryFiles, timeline: Timeline) {
    super(new SequenceCopies("s1", { name: "Harbour", timeline }), files, []);
    this.#memory = files;
  }

  /** What the active sequence is called now. */
  set name(name: string) {
    this.sequences.active = { ...this.sequences.active, name };
  }

  get timeline(): Timeline {
    return this.sequences.active.timeline;
  }

  set timeline(timeline: Timeline) {
    this.sequences.active = { ...this.sequences.active, timeline };
  }

  async readSequence(): Promise<SequenceInfo> {
    const { activeId: id, active } = this.sequences;
    const { sequence } = jobEntry();
    return { ...sequence, id, name: active.name, durationSeconds: this.durationSeconds };
  }

  async apply(plan: EditPlan): Promise<ApplyReport> {
    this.applied.push(plan);
    const sound = (location: string) => ({ location, channels: 1, sampleRate: 48_000 });
    const { timeline, markerIds } = applyPlan(this.timeline, plan, sound);
    this.timeline = timeline;
    if (plan.note !== undefined) this.#keep(plan.sequenceId, plan.note);
    return { outcome: "done", differences: [], markerIds, undoSteps: plan.groups.length, ...this.report };
  }

  async readNote(sequenceId: string, name: string): Promise<string | null> {
    return this.notes.get(`${sequenceId} ${name}`) ?? null;
  }
  async writeNote(sequenceId: string, note: KeptText): Promise<void> {
    this.#keep(sequenceId, note);
  }
  #keep(sequenceId: string, { name, text }: KeptText): void {
    this.notes.set(`${sequenceId} ${name}`, text);
  }

  async readLevels(): Promise<readonly ClipLevel[]> {
    const told = this.timeline.tracks.flatMap(({ kind, clips }, trackIndex) =>
      clips.flatMap((_, clipIndex): ClipLevel[] =>
        kind === "audio" ? [{ trackIndex, clipIndex, sourceId: `${trackIndex}`, gain: 1, points: [] }] : [],
      ),
    );
    const known = this.levels ?? [];
    return told.map((one) => known.find(({ trackIndex }) => trackIndex === one.trackIndex) ?? one);
  }
  async changeLevels(order: LevelOrder): Promise<ApplyReport> {
    this.ordered.push(order);
    const changed = order.changes.map(({ trackIndex, clipIndex, points, gain }): ClipLevel => {
      return { trackIndex, clipIndex, sourceId: `${trackIndex}`, gain: points.length > 0 ? null : gain, points };
    });
    const others = (this.levels ?? []).filter((one) =>
      changed.every(({ trackIndex }) => trackIndex !== one.trackIndex),
    );
    this.levels = [...others, ...changed];
    this.#keep(order.sequenceId, order.note);
    return { outcome: "done", differences: [], markerIds: {}, undoSteps: 2, ...this.report };
  }

  async openGaps({ gaps }: GapOrder): Promise<ApplyReport> {
    const later = (seconds: number) =>
      gaps.filter(({ at }) => at <= seconds).reduce((sum, gap) => sum + gap.seconds, seconds);
    const opened = (track: Track): Track => ({
      ...track,
      clips: track.clips.flatMap((clip) => {
        const cuts = [
          clip.start,
          ...gaps.map(({ at }) => at).filter((at) => at > clip.start && at < clip.end),
          clip.end,
        ];
        return cuts.slice(1).map((end, index) => {
          const start = cuts[index] ?? clip.start;
          const sourceStart = clip.sourceStart + (start - clip.start);
          return { ...clip, start: later(start), end: later(start) + (end - start), sourceStart };
        });
      }),
    });
    this.timeline = { ...this.timeline, tracks: this.timeline.tracks.map(opened) };
    return { outcome: "done", differences: [], markerIds: {}, undoSteps: 1, ...this.report };
  }

  async exportSequence(request: ExportRequest): Promise<ExportedMedia> {
    const sounding = this.timeline.tracks.flatMap(({ kind, isEnabled }, index) =>
      kind === "audio" && isEnabled ? [`${index}`] : [],
    );
    this.exports.push({ ...request, sounding });
    const path = `/panel/exports/export-${this.exports.length}.wav`;
    const { wave, offsetSeconds } = this.sound;
    this.#memory.bytes.set(path, wave);
    return {
      path,
      contentType: request.content === "sound" ? "audio/wav" : "video/mp4",
      sizeBytes: wave.length,
      durationSeconds: this.durationSeconds,
      offsetSeconds,
      isTemporary: true,
    };
  }

  async movePlayhead(_: string, seconds: number): Promise<void> {
    this.moved.push(seconds);
  }
  async playhead(): Promise<number> {
    return this.moved.at(-1) ?? 0;
  }
  async restoreRange(): Promise<void> {}
  async projectId(): Promise<string | null> {
    return this.project.id;
  }
  async projectFolder(): Promise<string | null> {
    return this.project.folder;
  }
  async transcribedCaptions(): Promise<null> {
    return null;
  }
  async convert({ form, path }: { readonly form: string; readonly path: string }): Promise<void> {
    this.#memory.texts.set(path, form);
  }
  async importFile(path: string): Promise<void> {
    if ((await this.#memory.size(path)) === null) {
      const context = { operation: "import", state: "nothing was changed" };
      throw new HostError("file_not_found", "it is not there", context);
    }
  }
}

/** Two lines, and a timeline on which nothing of ours lies: a film, its sound, music. */
export const CUES: readonly Cue[] = [
  { id: "a", start: 1, end: 2.5, text: "A woman sits." },
  { id: "b", start: 6, end: 7, text: "Rain." },
];
export const FILM = madeTimeline(
  [
    madeTrack("video", [madeClip(madeMedia("film.mov"), 0, 60)], { name: "V1" }),
    madeTrack("audio", [madeClip(madeMedia("sound.wav", { hasVideo: false }), 0, 60)], { name: "A1" }),
    madeTrack("audio", [madeClip(madeMedia("music.wav", { hasVideo: false }), 0, 60)], { name: "A2" }),
  ],
  { startFrame: 0 },
);

/** Where the narration of {@link withNarration} lies. */
export const NARRATION = "/projects/aside-harbour.wav";

/** A narration in which these lines are heard where they are. */
export function withNarration(cues: readonly Cue[] = CUES): Partial<Result> {
  const { settings } = placedResult(cues);
  const audio = { path: NARRATION, start: 0, durationSeconds: 60 } as unknown as NonNullable<Result["audio"]>;
  return { audio, voiced: voicedCues(cues, settings) };
}

/** A panel over an editor, files and a service in memory, none of which answers before it is let go. */
export interface EditingPanel extends SessionInMemory {
  readonly session: Session;
  readonly files: MemoryFiles;
  readonly editor: MemoryEditor;
  readonly server: HostedServer;
  readonly ports: HeldPorts;
  readonly connection: ServiceConnection;
  /** What was played, in order. */
  readonly played: string[];
  /** Does something to its end, and what it has done beside it; raises what it raises. */
  does<Done>(work: () => Promise<Done>): Promise<Done>;
  /** The markers of ours on the active sequence, as `start end words`. */
  markers(): readonly string[];
  /** The clips of narration on it, as `name start`. */
  voices(): readonly string[];
  /** What is kept of a result on disk; `undefined` where nothing is. */
  kept(runId?: string): Result | undefined;
  /** What is kept of a job on disk. */
  keptJob(runId?: string): JobEntry | undefined;
}

/**
 * Makes one, with a result of {@link CUES} under review.
 *
 * @param change What differs in the result.
 * @param state What differs in the state.
 */
export function editingPanel(
  change: Partial<Result> = {},
  state: Partial<Session["state"]> = {},
  members: Partial<PanelEnvironment> = {},
): EditingPanel {
  const files = new MemoryFiles();
  files.bytes.set(NARRATION, SILENCE);
  const editor = new MemoryEditor(files, FILM);
  const server = new HostedServer();
  const ports = new HeldPorts();
  for (const name of ["playhead", "stop"]) ports.beside.add(name);
  const played: string[] = [];
  const held = ports.wrap(files);
  const named = [
    "size",
    "readText",
    "writeText",
    "readBytes",
    "remove",
    "rename",
    "makeFolder",
    "list",
    "openWriter",
  ] as const;
  const disk = Object.fromEntries(
    named.map((name) => [name, (...args: never[]) => Reflect.apply(held[name] as never, held, args)]),
  );
  const made = sessionInMemory(
    {
      editor: ports.wrap(editor),
      files: disk,
      secrets: ports.wrap({ load: async () => server.key, save: async () => undefined, forget: async () => undefined }),
      findCompanion: async () => null,
      startCompanion: null,
      player: { play: async (path: string) => void played.push(path), stop: () => void played.push("stop") },
      transfer: {
        upload: async () => ({ status: 200, body: "" }),
        download: async ({ path }: { readonly path: string }) => {
          files.bytes.set(path, path.endsWith(".mp4") ? server.mp4 : server.wav);
          return { status: 200, body: "" };
        },
      },
      sentMedia: async () => null,
      copyText: async () => undefined,
      pickFolder: async () => "/delivered",
      pickFile: async () => null,
      pickFiles: async () => [],
      chosenPresets: [],
      versions: {},
      contact: undefined,
      connect: ({ address, key }: { readonly address: string; readonly key: string }) =>
        new Client({ baseUrl: address, apiKey: key, fetch: server.fetch, clock: made.clock, random: () => 0.5 }),
      ...members,
    } as unknown as Partial<PanelEnvironment>,
    files,
  );
  const { session, clock } = made;
  // Who waits for time to pass waits no longer than that takes.
  ports.whenIdle = async () => {
    if (clock.sleeping === 0) return false;
    await clock.pass(1000);
    return true;
  };
  session.keepPreferences = () => undefined;
  // What is done beside the work is waited for too.
  const besides: Promise<void>[] = [];
  session.run = (work) => {
    besides.push(
      work().then(
        () => undefined,
        (error: unknown) => session.fail(error),
      ),
    );
  };
  const job = jobEntry();
  const review = openReview(placedResult(CUES, change), job);
  session.store.set({ jobs: [job], sequence: job.sequence, review, shownKey: "••••", ...state });
  const value = (name: string) => JSON.parse(files.texts.get(`/panel/results/${name}`) ?? "{}").value;
  return {
    ...made,
    files,
    editor,
    server,
    ports,
    played,
    connection: new ServiceConnection(session),
    async does<Done>(work: () => Promise<Done>): Promise<Done> {
      const outcome: { value?: Done } = {};
      const doing = async () => {
        outcome.value = await work();
        for (const one of besides) await one;
        besides.length = 0;
      };
      const raised = await ports.settlesLast(doing, -1, "newest first");
      if (raised !== null) throw raised;
      return outcome.value as Done;
    },
    markers: () =>
      editor.timeline.markers
        .filter(({ name }) => name.startsWith("AD "))
        .map(({ start, end, comment }) => `${start} ${end} ${comment.split("\n")[0]}`),
    voices: () =>
      editor.timeline.tracks
        .filter(({ name }) => name === NARRATION_TRACK_NAME)
        .flatMap(({ clips }) => clips.map(({ name, start }) => `${name} ${start}`)),
    kept: (runId = "run-1") => value(`${runId}.result.json`),
    keptJob: (runId = "run-1") => value(`${runId}.job.json`),
  };
}
