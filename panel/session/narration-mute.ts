import type { Timeline } from "../../src/core/timeline.ts";
import { type EditPlan, isNarrationClip, isNarrationTrack, type MuteTrack } from "../../src/host/edit-plan.ts";
import { HostError } from "../../src/host/host-error.ts";
import { words } from "../words/words.ts";
import type { PanelEnvironment } from "./environment.ts";
import type { Library } from "./library.ts";

/** File beside the results that says which tracks are muted for an export: it outlives a panel that is killed meanwhile. */
const KEPT = "muted-narration.json";

/** A track that was muted, as it was found. */
interface MutedTrack {
  /** Place of the track in `Timeline.tracks`. */
  readonly index: number;
  readonly name: string;
}

/** The muted tracks of each sequence, by its identity. */
type MutedTracks = Readonly<Record<string, readonly MutedTrack[]>>;

/** Keeps our narration out of what is exported: its tracks are muted meanwhile, and heard again afterwards, whatever happens. */
export class NarrationMute {
  readonly #environment: Pick<PanelEnvironment, "editor">;
  readonly #library: Library;
  /** What the file says; `null` until it was read. */
  #kept: MutedTracks | null = null;
  /** Exports under way: the tracks are heard again after the last one. */
  #exports = 0;

  constructor(environment: Pick<PanelEnvironment, "editor">, library: Library) {
    this.#environment = environment;
    this.#library = library;
  }

  /**
   * Does something while no track of the active sequence sounds that holds our narration.
   *
   * @throws HostError `apply_failed` where the narration would be heard all the same: nothing is done then. What the work raises.
   */
  async silentDuring<T>(sequenceId: string, work: () => Promise<T>): Promise<T> {
    const { editor } = this.#environment;
    this.#exports += 1;
    try {
      const timeline = await editor.readTimeline();
      const tracks = soundingNarration(timeline);
      if (tracks.length > 0) {
        const { [sequenceId]: earlier = [] } = await this.#load();
        await this.#keep(sequenceId, [...earlier, ...tracks]);
        const report = await editor.apply(muting(sequenceId, tracks, true), { signal: new AbortController().signal });
        if (report.outcome !== "done") throw refused(words.narrationHeard, report.tried);
      }
      return await work();
    } finally {
      this.#exports -= 1;
      // What fails here is done when the panel looks at the sequence the next time; the work's own end counts.
      await this.putBack().catch(() => undefined);
    }
  }

  /** Lets the tracks of the active sequence be heard again that an export left muted. Nothing happens while one is under way. */
  async putBack(): Promise<void> {
    const kept = this.#exports > 0 ? {} : await this.#load();
    if (Object.keys(kept).length === 0) return;
    const { editor } = this.#environment;
    const { id } = await editor.readSequence();
    const { [id]: muted = [] } = kept;
    if (muted.length === 0) return;
    const tracks = stillMuted(await editor.readTimeline(), muted);
    if (tracks.length > 0) {
      const report = await editor.apply(muting(id, tracks, false), { signal: new AbortController().signal });
      if (report.outcome !== "done") return;
    }
    await this.#keep(id, []);
  }

  async #load(): Promise<MutedTracks> {
    this.#kept ??= read(await this.#library.loadText(KEPT).catch(() => null));
    return this.#kept;
  }

  async #keep(sequenceId: string, tracks: readonly MutedTrack[]): Promise<void> {
    const { [sequenceId]: _, ...others } = await this.#load();
    this.#kept = tracks.length === 0 ? others : { ...others, [sequenceId]: tracks };
    await this.#library.saveText(KEPT, JSON.stringify(this.#kept));
  }
}

/** Written by this class alone, whole or not at all; what is none of its texts says nothing. */
function read(text: string | null): MutedTracks {
  try {
    return text === null ? {} : (JSON.parse(text) as MutedTracks);
  } catch {
    return {};
  }
}

/**
 * The tracks on which our narration would be heard.
 *
 * @throws HostError `apply_failed` where muting them would silence the programme as well.
 */
function soundingNarration({ tracks }: Timeline): readonly MutedTrack[] {
  const sounding = tracks.map((track, index) => ({ ...track, index })).filter(isSounding);
  const ours = sounding.filter(isNarrationTrack);
  const others = sounding.filter((track) => !isNarrationTrack(track));
  const shared = others.find(({ clips }) => clips.some((clip) => clip.isEnabled && isNarrationClip(clip)));
  if (shared !== undefined) throw refused(words.narrationAmong({ track: shared.name }));
  // A mix holds the programme, whose own tracks are then muted: without it, nothing would be heard.
  const isProgrammeMuted = tracks.some(
    (track) => !track.isEnabled && !isNarrationTrack(track) && isSounding({ ...track, isEnabled: true }),
  );
  if (ours.length > 0 && others.length === 0 && isProgrammeMuted) throw refused(words.programmeMuted);
  return ours.map(({ index, name }) => ({ index, name }));
}

function isSounding({ kind, isEnabled, clips }: Timeline["tracks"][number]): boolean {
  return kind === "audio" && isEnabled && clips.some((clip) => clip.isEnabled);
}

/** Which of our tracks are muted as they were left: at their places, or by their names where tracks came or went since. */
function stillMuted({ tracks }: Timeline, muted: readonly MutedTrack[]): readonly MutedTrack[] {
  const ours = tracks
    .map((track, index) => ({ ...track, index }))
    .filter((track) => isNarrationTrack(track) && !track.isEnabled);
  const found = muted.flatMap(({ index, name }) => {
    const named = ours.filter((track) => track.name === name);
    return named.find((track) => track.index === index) ?? named;
  });
  return [...new Set(found)];
}

function muting(sequenceId: string, tracks: readonly MutedTrack[], isMuted: boolean): EditPlan {
  const steps = tracks.map(({ index }): MuteTrack => ({ kind: "mute-track", trackIndex: index, isMuted }));
  return { sequenceId, groups: [{ label: isMuted ? words.narrationMuting : words.narrationUnmuting, steps }] };
}

function refused(message: string, tried: readonly string[] = []): HostError {
  const context = { operation: "mute the narration for an export", state: "nothing was exported", tried };
  return new HostError("apply_failed", message, context);
}
