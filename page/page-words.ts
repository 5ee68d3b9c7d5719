import { words } from "../panel/words/words.ts";
import { worded } from "../src/core/text.ts";

/** What the page says beside the panel's words. */
const PAGE_ENGLISH = {
  logInFirst:
    "Open Aside from its icon, or open the link that you were given again. Whoever runs the service can give you a new link.",
  takenOver: "Aside was opened in another window. Nothing is lost: go on there, or load this page again.",
  cannotStart: "Aside could not start: {why}",
  // Film
  dropHere: "Drop a film here",
  chooseFilm: "Choose a film…",
  chooseOther: "Another film…",
  film: "Film",
  sendingFilm: "{name} goes to the service: {percent} %",
  checkingFilm: "The service looks at {name}…",
  noFilm: "No film yet",
  filmKept: "The film stays as it is: the service works on a copy.",
  // Player
  player: "Player",
  hearing: "Descriptions",
  hearings: { voice: "as sound", reader: "read by my screen reader", off: "not heard" },
  descriptions: "Descriptions",
  captions: "Captions",
  cannotPlay: "This browser does not play this film. Its descriptions are heard one by one: Listen, or L in the list.",
  filmGone: "The service does not have this film any more.",
  voiceGone: "The sound is not here any more: open the result again under Jobs.",
  playing: "Playing from {time}.",
  paused: "Paused at {time}.",
  filmEnded: "The film is over.",
  filmReady: "Film ready: {name}, {time}.",
  time: {
    hours: "{count} {count:hour|hours}",
    minutes: "{count} {count:minute|minutes}",
    seconds: "{count} {count:second|seconds}",
  },
  // Jobs
  jobs: "Jobs of the service",
  noJobs: "No job yet. Describe a film first.",
  jobStates: { queued: "waiting", processing: "under way", done: "done", failed: "failed", cancelled: "cancelled" },
  jobKinds: { text: "text", audio: "text and sound", video: "video" },
  jobCount: "{count} {count:job|jobs}.",
  askDelete: "Delete {name} with its result? Press again to delete.",
  saved: "Saved.",
  openJob: "Review",
  cancelJob: "Stop the job",
  deleteJob: "Delete",
  reallyDelete: "Delete with its result",
  save: { text: "Save text", sound: "Save sound", video: "Save video" },
  asMade:
    "Text and sound are saved as the service made them. What people made of them is saved from the review: Deliver.",
  // A link for reviewing one film
  openingReview: "The film opens…",
  reviewAlone:
    "This link is for reviewing one film: hear it, change its descriptions, accept them, sign off. If it no longer works, it has ended or was taken back: ask whoever gave it to you for another one.",
  reviewUntil: "open for review until {date}",
  // Service
  newVersion: "Aside {newVersion} is there. This is {version}.",
  disk: "Disk",
  diskFacts: "{media} {media:film|films}, {mediaSize} · {results} {results:result|results}, {resultSize} · {free} free",
  keptFor: "Films are kept for {media}, results for {results}.",
  days: "{count} {count:day|days}",
  forEver: "ever",
  keys: "Keys for other programs",
  noKeys: "None.",
  keyName: "What the new key is for",
  makeKey: "Make a key",
  showCode: "Show a code for a panel",
  pairingCodeEnded: "The code has ended. Show another one.",
  pairingCode:
    "{code}: type it in the panel, under Settings, Where it runs, within five minutes. It counts once, and gives the panel a key of its own.",
  newKey: "Shown this once: {key}",
  keyMade: "The key is made. It is shown once.",
  withdrawKey: "Withdraw",
  keyWithdrawn: "Withdrawn: {name}.",
  settingsToo: "may change settings",
  health: "Health",
  examine: "Look at everything",
  examining: "Looking…",
  allGood: "All good: {count} {count:check|checks}.",
  healthStates: { good: "✓", warning: "⚠", bad: "✕" },
  backUp: "Back up",
  backingUp: "Backing up…",
  backedUp: "{objects} {objects:object|objects}, {size}, and the records are in {folder}.",
  log: "Log",
  showLog: "Show the last lines",
  logLines: "{count} {count:line|lines}.",
  noLog: "Nothing was logged: neither warnings nor errors.",
  logOut: "Log out",
  loggedOut: "You are logged out.",
} as const;

/** The page's own words, ready for use. */
export const pageWords = worded(PAGE_ENGLISH);

/** A length or a place in a film as it is spoken: `1 minute 5 seconds`. */
export function spokenTime(seconds: number): string {
  const whole = Math.round(seconds);
  const counts = { hours: Math.floor(whole / 3600), minutes: Math.floor(whole / 60) % 60, seconds: whole % 60 };
  const { hours, minutes, seconds: rest } = pageWords.time;
  return [
    counts.hours > 0 ? hours({ count: counts.hours }) : "",
    counts.minutes > 0 ? minutes({ count: counts.minutes }) : "",
    counts.seconds > 0 || whole === 0 ? rest({ count: counts.seconds }) : "",
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** Words of the panel that name Premiere or a sequence, as they are said of a film. */
const IN_PLACE = {
  views: { ...words.views, history: "Jobs", progress: "Progress" },
  steps: { ...words.steps, read: "Look at the film", export: "Film", upload: "Send" },
  describe: "Describe film",
  noSequence: "No film yet",
  noReview: "No result is open. Describe a film, or open a result under Jobs.",
  ranges: { ...words.ranges, whole: "Whole film" },
  wanted: { both: "Text and narration", markers: "Text", narration: "Narration" },
  // A film has no clips with transcripts.
  captionSources: { none: words.captionSources.none, file: words.captionSources.file },
  doneElsewhere: "The result of {name} is there: open it under Jobs.",
  orderAnother: "Describe another film…",
  muted: "muted: not voiced",
  cannotHear: "This sound is not here any more: open the result again under Jobs.",
  heldElsewhere: "These descriptions are longer than the pauses: they need a video that is held for them.",
  deliver: "Deliver",
  showFolder: "Save the files",
  showReason: "",
  deliveryHint:
    "With a manifest: hashes, settings, the voice, who changed what, the sign-off. Loudness is not measured here.",
  listKeys:
    "Keys of the script: arrows choose, with Shift several; Enter writes, Space accepts, L listens, P plays the film, M mutes, Delete deletes.",
  keysHint: "The film goes to each description that is chosen.",
  keyMap: words.keyMap.map(([keys, what]) =>
    keys === "P" ? (["P", "play the film from there, pause"] as const) : ([keys, what] as const),
  ),
  closing: {
    ...words.closing,
    read: "If the page is left now, nothing has begun.",
    generate: "If the page is left now, Resume finds out whether the job was accepted.",
    wait: "If the page is left now, the service goes on. Its result is under Jobs.",
    fetch: "If the page is left now, only the sound is fetched again.",
    check: "If the page is left now, the result is kept.",
  },
};

/** Has the panel's views speak of a film. Done once, before anything is drawn. */
export function speakOfFilms(): void {
  Object.assign(words, worded(IN_PLACE));
}
