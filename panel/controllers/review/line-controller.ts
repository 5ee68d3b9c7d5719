import type { Cue } from "../../../src/core/cue.ts";
import type { NarrationFile } from "../../../src/result/result.ts";
import { soundStanding } from "../../../src/result/stale.ts";
import { voiceLine } from "../../../src/workflow/revoice/voice-line.ts";
import type { ServiceConnection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { voiceFilesBeside } from "../../session/voice-files.ts";
import { type ReviewState, withVoicedLine } from "../../state/review-state.ts";
import type { ReviewController } from "./review-controller.ts";

/** Has edited lines voiced by themselves, at once, by a service that does that: ours. Others voice them in a job, when asked. */
export class LineController {
  readonly #session: Session;
  readonly #connection: ServiceConnection;
  readonly #reviewController: ReviewController;
  /** Addresses of services that voice no single lines. */
  readonly #withoutLines = new Set<string>();
  /** Lines under way, by run and cue. */
  readonly #underWay = new Map<string, Promise<boolean>>();

  constructor(session: Session, connection: ServiceConnection, reviewController: ReviewController) {
    this.#session = session;
    this.#connection = connection;
    this.#reviewController = reviewController;
  }

  /**
   * Voices a cue whose sound says other words than it has. `true` where its sound is as it reads afterwards; `false` where
   * that takes a job, or does not work now.
   */
  voice({ id }: Pick<Cue, "id">): Promise<boolean> {
    const { review, shownKey } = this.#session.state;
    if (review === null || shownKey === null) return Promise.resolve(false);
    const { result, job } = review;
    if (!soundStanding(result).untrue.has(id)) return Promise.resolve(true);
    // The old words would still be heard in a mix; and what is no narration yet is made by a job.
    const audio = result.track === "ad_only" ? result.audio : undefined;
    if (audio === undefined || this.#withoutLines.has(job.serviceAddress)) return Promise.resolve(false);
    const name = `${result.runId} ${id}`;
    const present = this.#underWay.get(name);
    if (present !== undefined) return present;
    const made = this.#voice(review, audio, id).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, made);
    return made;
  }

  /** The same in the background: where it does not work, the cue is out of date, and Listen says why. */
  voiceQuietly(cue: Pick<Cue, "id">): void {
    this.voice(cue).catch(() => undefined);
  }

  async #voice({ result, job }: ReviewState, audio: NarrationFile, cueId: string): Promise<boolean> {
    const { environment } = this.#session;
    const pathOf = await voiceFilesBeside(environment, audio.path);
    const client = await this.#connection.client(job.serviceAddress);
    const made = await voiceLine({ client, files: environment.files }, { result, cueId, pathOf });
    if (made.kind === "not-offered") this.#withoutLines.add(job.serviceAddress);
    if (made.kind !== "voiced" || this.#session.isClosed) return false;
    if (this.#session.state.review?.result.runId !== result.runId) return false;
    this.#reviewController.change((now) => withVoicedLine(now, made.line));
    const now = this.#session.state.review;
    return now !== null && !soundStanding(now.result).untrue.has(cueId);
  }
}
