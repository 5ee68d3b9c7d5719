import { words } from "../panel/words/words.ts";
import { worded } from "../src/core/text.ts";

/** What the page says beside the panel's words. */
const PAGE_ENGLISH = {
  logInFirst: "Open Aside from its icon, or open your link again. The service’s administrator can give you a new link.",
  takenOver: "Aside was opened in another window. Nothing is lost: continue there, or reload this page.",
  cannotStart: "Aside could not start: {why}",
  // Film
  dropHere: "Drop a film here",
  chooseFilm: "Choose a film…",
  chooseOther: "Another film…",
  film: "Film",
  sendingFilm: "Uploading {name}: {percent} %",
  checkingFilm: "Checking {name}…",
  noFilm: "No film yet",
  filmKept: "Your film is not changed: the service works on a copy.",
  // Player
  player: "Player",
  hearing: "Descriptions",
  hearings: { voice: "as sound", reader: "read by my screen reader", off: "not heard" },
  descriptions: "Descriptions",
  captions: "Captions",
  cannotPlay: "This browser cannot play this film. You can hear its descriptions one by one: Listen, or L in the list.",
  filmGone: "The service no longer has this film.",
  voiceGone: "The sound is no longer here. Open the result again under Jobs.",
  playing: "Playing from {time}.",
  paused: "Paused at {time}.",
  filmEnded: "End of the film.",
  filmReady: "Film ready: {name}, {time}.",
  time: {
    hours: "{count} {count:hour|hours}",
    minutes: "{count} {count:minute|minutes}",
    seconds: "{count} {count:second|seconds}",
  },
  // Jobs
  jobs: "Jobs of the service",
  noJobs: "No job yet. Describe a film first.",
  jobStates: { queued: "waiting", processing: "in progress", done: "done", failed: "failed", cancelled: "cancelled" },
  jobKinds: { text: "text", audio: "text and sound", video: "video" },
  jobCount: "{count} {count:job|jobs}.",
  askDelete: "Delete {name} with its result? Press again to delete.",
  saved: "Saved.",
  openJob: "Review",
  cancelJob: "Stop the job",
  deleteJob: "Delete",
  reallyDelete: "Delete with its result",
  save: { text: "Save text", sound: "Save sound", video: "Save video" },
  asMade: "Saves text and sound as the service made them. To save your edits, use Deliver.",
  // A link for reviewing one film
  openingReview: "Opening the film…",
  reviewAlone:
    "This link is for reviewing one film: hear it, change its descriptions, accept them, sign off. If it stops working, it has expired or was revoked. Ask the person who sent it for a new one.",
  reviewUntil: "open for review until {date}",
  // Service
  newVersion: "Aside {newVersion} is available. You have {version}.",
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
  pairingCodeEnded: "The code has expired. Show another one.",
  pairingCode:
    "{code}: type it in the panel, under Settings, Where it runs, within five minutes. It works once, and gives the panel its own key.",
  newKey: "Shown this once: {key}",
  keyMade: "The key is made. It is shown once.",
  withdrawKey: "Revoke",
  keyWithdrawn: "Revoked: {name}.",
  settingsToo: "may change settings",
  health: "Health",
  examine: "Check everything",
  examining: "Checking…",
  allGood: "All good: {count} {count:check|checks}.",
  healthStates: { good: "✓", warning: "⚠", bad: "✕" },
  backUp: "Back up",
  backingUp: "Backing up…",
  backedUp: "{objects} {objects:file|files}, {size}, and the database are in {folder}.",
  log: "Log",
  showLog: "Show the last lines",
  logLines: "{count} {count:line|lines}.",
  noLog: "No warnings or errors.",
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
  cannotHear: "This sound is no longer here. Open the result again under Jobs.",
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
    read: "If you leave the page now, nothing has started yet.",
    generate: "If you leave the page now, Resume asks whether the order was accepted.",
    wait: "If you leave the page now, the service continues. Its result will be under Jobs.",
    fetch: "If you leave the page now, Resume fetches only the sound again.",
    check: "If you leave the page now, the result is kept.",
  },
};

/** Has the panel's views speak of a film. Done once, before anything is drawn. */
export function speakOfFilms(): void {
  Object.assign(words, worded(IN_PLACE));
}
