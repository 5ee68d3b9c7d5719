import type { Announcer } from "../panel/document/announcer.ts";
import type { ReviewState } from "../panel/state/review-state.ts";
import type { Client } from "../src/client/client.ts";
import type { Cue } from "../src/core/cue.ts";
import { spokenCues } from "../src/core/direction.ts";
import { writeWebVtt } from "../src/formats/webvtt/webvtt.ts";
import { type Result, soundingCues } from "../src/result/result.ts";
import { soundStanding } from "../src/result/stale.ts";
import type { Desk } from "./desk.ts";
import { filmPath, type PageFiles } from "./page-files.ts";
import { pageWords, spokenTime } from "./page-words.ts";

/** How the descriptions are heard: as the voice that was made, by the reader's own screen reader, or not at all. */
type Hearing = "voice" | "reader" | "off";

/** How often sound and descriptions are brought to where the film is, in milliseconds. */
const FOLLOW_MS = 80;

/** How far a voice may be from the film before it is moved, in seconds. */
const DRIFT_SECONDS = 0.15;

/** The film's own sound under a voice that came alone, linear: about 10 dB lower. */
const LOWERED = 0.32;

/** How long a signed address is certainly good, in milliseconds. */
const SIGNED_MS = 60_000;

/** How fast it is lowered and raised, in seconds. */
const GLIDE_SECONDS = 0.12;

/** What the player reads. */
export interface PlayerParts {
  readonly files: PageFiles;
  readonly desk: Desk;
  readonly client: Pick<Client, "getResults">;
  readonly announcer: Announcer;
}

/**
 * The film under review with its captions, and its descriptions as a text track and as sound. The voice is what was made of each
 * line as it reads: a line that changed since is silent until it is voiced anew.
 */
export class FilmPlayer {
  /** Stands on the page while a result is under review. */
  readonly element = document.createElement("section");
  readonly #parts: PlayerParts;
  readonly #video = document.createElement("video");
  readonly #voice = new Audio();
  readonly #line = document.createElement("p");
  readonly #note = document.createElement("p");
  readonly #hearing = document.createElement("select");
  #tracks: HTMLTrackElement[] = [];
  #addresses: string[] = [];
  #shown: ReviewState | null = null;
  #voicePath: string | null = null;
  #context: AudioContext | null = null;
  #mixer: { readonly context: AudioContext; readonly film: GainNode } | null = null;
  #piece: { readonly cueId: string; readonly sound: HTMLAudioElement } | null = null;
  /** The line that a screen reader reads aloud; `null` while none is. */
  #read: string | null = null;
  #openedAt = 0;

  constructor(parts: PlayerParts) {
    this.#parts = parts;
    this.element.id = "player";
    this.element.hidden = true;
    this.element.setAttribute("aria-label", pageWords.player);
    this.#video.controls = true;
    this.#video.preload = "metadata";
    this.#video.setAttribute("aria-label", pageWords.film);
    this.#line.className = "spoken";
    this.#note.className = "hint";
    const label = document.createElement("label");
    label.className = "inline-field";
    const name = document.createElement("span");
    name.className = "field-name";
    name.textContent = pageWords.hearing;
    this.#hearing.className = "input";
    this.#hearing.id = "hearing";
    for (const [value, text] of Object.entries(pageWords.hearings)) this.#hearing.add(new Option(text, value));
    label.append(name, this.#hearing);
    this.element.append(this.#video, this.#voice, this.#line, label, this.#note);
    this.#hearing.addEventListener("change", () => this.#follow());
    this.#video.addEventListener("play", () => this.#begin());
    this.#video.addEventListener("pause", () => this.#paused());
    this.#video.addEventListener("seeking", () => {
      // Whoever goes back to a line wants to hear it again.
      this.#read = null;
      this.#follow();
    });
    this.#video.addEventListener("ratechange", () => this.#follow());
    this.#video.addEventListener("error", () => this.#openAgain());
    setInterval(() => {
      if (!this.element.hidden && !this.#video.paused) this.#follow();
    }, FOLLOW_MS);
  }

  /** Where the film is, in seconds. */
  get time(): number {
    return this.#video.currentTime;
  }

  /** Goes to a time in seconds. */
  seek(seconds: number): void {
    if (Math.abs(this.#video.currentTime - seconds) > 0.01) this.#video.currentTime = seconds;
  }

  /** Plays, or pauses. */
  toggle(): void {
    if (this.#video.paused) void this.#video.play().catch(() => this.#tell(pageWords.cannotPlay));
    else this.#video.pause();
  }

  /** Shows the film of a review as it is now; `null` puts it away. */
  show(review: ReviewState | null): void {
    const was = this.#shown;
    if (review === was) return;
    this.#shown = review;
    if ((review === null) !== this.element.hidden) this.element.hidden = review === null;
    if (review === null) {
      this.#video.pause();
      this.#silence();
      return;
    }
    const { result, sequence } = review;
    if (was?.sequence.id !== sequence.id) this.#open(sequence.id).catch(() => this.#tell(pageWords.filmGone));
    if (was?.result.audio?.path !== result.audio?.path || was?.result.runId !== result.runId) {
      this.#openVoice(result).catch(() => this.#tell(pageWords.voiceGone));
    }
    if (was?.result.cues !== result.cues || was?.result.dialogue !== result.dialogue) this.#writeTracks(result);
    this.#follow();
  }

  async #open(mediaId: string): Promise<void> {
    const { files, desk } = this.#parts;
    this.#tell("");
    const film = await files.blobOf(filmPath(mediaId));
    const address = film === null ? (await desk.media(mediaId)).signed_url : URL.createObjectURL(film);
    if (this.#shown?.sequence.id !== mediaId) return;
    this.#openedAt = Date.now();
    this.#video.src = address;
  }

  /** A signed address ends after a while: another one is asked for, and the film goes on from where it was. */
  #openAgain(): void {
    const mediaId = this.#shown?.sequence.id;
    if (mediaId === undefined || Date.now() - this.#openedAt < SIGNED_MS) {
      this.#tell(pageWords.cannotPlay);
      return;
    }
    const { currentTime, paused } = this.#video;
    this.#open(mediaId).then(
      () => {
        this.#video.currentTime = currentTime;
        if (!paused) this.toggle();
      },
      () => this.#tell(pageWords.filmGone),
    );
  }

  async #openVoice(result: Result): Promise<void> {
    this.#voicePath = null;
    this.#voice.removeAttribute("src");
    const { audio, jobId, runId } = result;
    if (audio === undefined) return;
    const isShown = () => this.#shown?.result.runId === runId && this.#shown.result.audio?.path === audio.path;
    const { files, client } = this.#parts;
    const here = await files.blobOf(audio.path);
    const job = here === null ? await client.getResults(jobId).catch(() => null) : null;
    const address = here !== null ? URL.createObjectURL(here) : job?.status === "done" ? job.audioUrl : undefined;
    // Another one may have been made meanwhile, and be there already.
    if (!isShown()) return;
    if (address === undefined) return this.#tell(pageWords.voiceGone);
    this.#voicePath = audio.path;
    this.#voice.src = address;
  }

  /** Text tracks as they are now: players of every kind read them. */
  #writeTracks(result: Result): void {
    for (const track of this.#tracks) track.remove();
    for (const address of this.#addresses) URL.revokeObjectURL(address);
    const said = (result.dialogue ?? []).map((line, index): Cue => ({ ...line, id: `said-${index}` }));
    const language = result.settings.language;
    const made = [
      this.#track("descriptions", pageWords.descriptions, language, spokenCues(soundingCues(result))),
      ...(said.length === 0 ? [] : [this.#track("captions", pageWords.captions, language, said)]),
    ];
    this.#tracks = made.map(({ track }) => track);
    this.#addresses = made.map(({ address }) => address);
    this.#video.append(...this.#tracks);
  }

  #track(kind: "captions" | "descriptions", label: string, language: string, cues: readonly Cue[]) {
    const track = document.createElement("track");
    const address = URL.createObjectURL(new Blob([writeWebVtt(cues)], { type: "text/vtt" }));
    track.kind = kind;
    track.label = label;
    track.srclang = language;
    track.src = address;
    track.default = true;
    return { track, address };
  }

  /** It is said that the film stands: where a person has stopped it, not where it was put away. */
  #paused(): void {
    this.#follow();
    if (this.#shown === null) return;
    const { ended } = this.#video;
    const text = ended ? pageWords.filmEnded : pageWords.paused({ time: spokenTime(this.time) });
    this.#parts.announcer.say({ text, topic: "playing" });
  }

  /** A person has pressed play: from now on the browser lets sound be mixed. */
  #begin(): void {
    this.#context ??= new AudioContext();
    const context = this.#context;
    // A film whose sound goes to a mixer that does not run stands still: without one it plays on, and is not lowered.
    void context.resume().then(() => {
      if (this.#mixer !== null) return;
      const film = context.createGain();
      context.createMediaElementSource(this.#video).connect(film).connect(context.destination);
      this.#mixer = { context, film };
      this.#follow();
    }, ignored);
    this.#follow();
    // A line that is read says it by itself.
    if (this.#read !== null) return;
    this.#parts.announcer.say({ text: pageWords.playing({ time: spokenTime(this.time) }), topic: "playing" });
  }

  /** Brings voice, level and words to where the film is. */
  #follow(): void {
    const result = this.#shown?.result;
    if (result === undefined) return;
    const now = this.#video.currentTime;
    const cue = soundingCues(result).findLast((one) => one.start <= now && now < one.start + heardSeconds(result, one));
    this.#showLine(cue);
    const isHeard = this.#hearing.value === ("voice" satisfies Hearing) && !this.#video.paused;
    const piece = cue === undefined ? undefined : result.pieces?.[cue.id];
    const isMix = result.track === "mixed";
    const at = !isHeard || this.#voicePath === null ? null : isMix ? now : voiceTime(result, cue, now);
    this.#playVoice(result, at);
    this.#playPiece(isHeard && cue !== undefined && piece !== undefined ? { cue, path: piece.path } : null, now);
    const isUnder = at !== null || this.#piece !== null;
    const level = !isUnder ? 1 : isMix ? 0 : LOWERED;
    this.#mixer?.film.gain.setTargetAtTime(level, this.#mixer.context.currentTime, GLIDE_SECONDS);
  }

  /** Plays the voice from a time on the clock of the programme that it was made for; `null` for none. */
  #playVoice({ audio }: Result, time: number | null): void {
    const at = (time ?? -1) - (audio?.start ?? 0);
    if (time === null || at < 0 || at >= (audio?.durationSeconds ?? 0)) {
      this.#voice.pause();
      return;
    }
    this.#voice.volume = this.#video.muted ? 0 : this.#video.volume;
    this.#voice.playbackRate = this.#video.playbackRate;
    if (Math.abs(this.#voice.currentTime - at) > DRIFT_SECONDS) this.#voice.currentTime = at;
    if (this.#voice.paused) void this.#voice.play().catch(() => undefined);
  }

  /** A voice in a file of its own begins with its cue. */
  #playPiece(wanted: { readonly cue: Cue; readonly path: string } | null, now: number): void {
    if (wanted === null || this.#piece?.cueId !== wanted.cue.id) {
      this.#piece?.sound.pause();
      this.#piece = null;
    }
    if (wanted === null || this.#piece !== null) return;
    const sound = new Audio();
    this.#piece = { cueId: wanted.cue.id, sound };
    void this.#parts.files.blobOf(wanted.path).then((blob) => {
      if (blob === null || this.#piece?.sound !== sound) return;
      sound.src = URL.createObjectURL(blob);
      sound.currentTime = Math.max(0, now - wanted.cue.start);
      sound.volume = this.#video.muted ? 0 : this.#video.volume;
      void sound.play().catch(() => undefined);
    });
  }

  #silence(): void {
    this.#readLine(null);
    this.#voice.pause();
    this.#piece?.sound.pause();
    this.#piece = null;
  }

  /** Shows the line that stands now; it is read aloud while the film plays, where descriptions are heard that way. */
  #showLine(cue: Cue | undefined): void {
    const text = cue?.text ?? "";
    if (this.#line.textContent !== text) this.#line.textContent = text;
    const isRead = this.#hearing.value === ("reader" satisfies Hearing) && !this.#video.paused;
    this.#readLine(isRead && cue !== undefined ? cue : null);
  }

  #readLine(cue: Cue | null): void {
    const name = cue === null ? null : `${cue.id} ${cue.text}`;
    if (name === this.#read) return;
    this.#read = name;
    if (cue === null) this.#parts.announcer.endReading();
    else this.#parts.announcer.read(cue.text);
  }

  /** Says what hinders the film; nothing takes it away. */
  #tell(text: string): void {
    this.#note.textContent = text;
    this.#parts.announcer.say({ text, isUrgent: true, topic: "film" });
  }
}

/** Without a mixer the film keeps its own level. */
function ignored(): void {}

/** How long a cue is spoken, or stands to be read where that is longer, in seconds. */
function heardSeconds({ pieces, voiced }: Result, { id, start, end }: Cue): number {
  const was = voiced[id];
  const voice = pieces?.[id]?.durationSeconds ?? was?.seconds ?? (was === undefined ? 0 : was.end - was.start);
  return Math.max(end - start, voice);
}

/**
 * Where the one file of all voices says a cue as it reads, on the clock of the programme that the file was made for; `null`
 * where it says other words, or a file of its own does.
 */
function voiceTime(result: Result, cue: Cue | undefined, now: number): number | null {
  const was = cue === undefined ? undefined : result.voiced[cue.id];
  if (cue === undefined || was === undefined || result.pieces?.[cue.id] !== undefined) return null;
  return soundStanding(result).untrue.has(cue.id) ? null : was.start + now - cue.start;
}
