import type { ContactName } from "../../src/host/contact.ts";

/** What is tried as a new version of Premiere is met. */
const NAMES = {
  sequence: "Read the open sequence",
  members: "Newer functions of Premiere",
  loopback: "Reach Aside on this computer",
  presets: "Find the export presets",
  buttons: "Draw buttons",
  sound: "Play sound in the panel",
} as const satisfies Readonly<Record<ContactName, string>>;

/** What Aside does where this Premiere differs. */
const DIFFERS = {
  sequence: "This Premiere has another way to read a sequence. Aside uses it.",
  members:
    "This Premiere lacks newer functions. Aside works without them: files for other programs, Media Encoder’s queue or " +
    "Premiere’s transcripts may not be offered.",
  loopback: "This Premiere reaches this computer by one of its two names. Aside uses that one.",
  presets:
    "Aside did not find Premiere’s own export presets and uses its own. If an export fails, choose a preset file under Export.",
  buttons: "This Premiere accepts only its own buttons. They stay grey.",
  sound: "This Premiere plays no sound in a panel. Aside plays it in the source monitor.",
} as const satisfies Readonly<Record<ContactName, string>>;

/** Words of the view that shows what a version of Premiere does, and of reports about it. */
export const CONTACT_STRINGS = {
  contactNames: NAMES,
  contactDiffers: DIFFERS,
  contactTitle: "What Premiere {version} does",
  contactMet: "Premiere {version} is new to Aside. Your project is unchanged.",
  contactNone: "Aside has not tried this Premiere yet.",
  contactTook: "Aside tried what it needs, in {seconds} s. Your project is unchanged.",
  contactDifferences: "{count} {count:thing works|things work} differently",
  importsCopies: "This Premiere imports nothing from the project’s folder. Aside imports a copy from its own folder.",
  contactContinue: "Continue",
  contactAgain: "Try again",
  slowPace: "Give Premiere more time between changes",
  slowPaceHint: "Slower. For a Premiere that crashes while Aside changes the timeline.",
  plainButtons: "Use Premiere’s own buttons",
  plainButtonsHint: "If buttons do not react or cannot be reached by Tab.",
  reportHint: "The report contains no names or paths.",
  reportCopied: "Report copied. What else to send: docs/troubleshooting.md.",
  toContact: "What this Premiere does",
} as const;
