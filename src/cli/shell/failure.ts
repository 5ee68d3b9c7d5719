import { AudioDescriptionError } from "../../core/error.ts";
import type { Verdict } from "../../core/verdict.ts";
import type { BackupError } from "../../service/admin/backup.ts";
import type { ServiceStartErrorCode } from "../../service/storage/database.ts";
import { TextHeldBack } from "../../workflow/errors.ts";
import { type Explanation, explain } from "../../workflow/explain.ts";
import { type Output, optionOf } from "./output.ts";
import { Cancelled, EXIT, type ExitCode, UsageError } from "./usage-error.ts";

/** What `--json` prints when a command does not end well. */
interface FailureReport {
  readonly error: { readonly code: string; readonly message: string; readonly next?: string };
}

/** Next steps that have a name on the command line, in place of the general ones. */
export const NEXT_STEPS: Readonly<Record<string, string>> = {
  unauthorized: "Put the service's key into the environment variable ASIDE_API_KEY.",
  standard_ad_not_enough_gaps:
    "Leave --no-over-music out, shorten --min-cue-length, allow descriptions over speech with --no-auto-fit, or use --ad-type extended_ad.",
  voice_unavailable: "Choose another --voice or --language.",
  submission_unknown: "Check the account’s usage. To send the request again, run the command with --resend.",
  file_in_the_way: "Move it away, choose another folder with --out, or let --force overwrite it.",
  folder_in_use: "Wait until it has ended, or choose another folder with --out.",
  content_blocked: "Give descriptions of your own with --script; trying again does not help.",
};

/** Why a service of one's own does not start or obey; its messages are whole sentences with their next step. */
export const START_MEANINGS: Readonly<
  Record<ServiceStartErrorCode | "administration_failed" | BackupError["code"], string>
> = {
  data_folder_in_use: "Another process has the data folder open.",
  data_folder_unusable: "The data folder cannot be made or written.",
  configuration_invalid: "The configuration cannot be read or says something impossible.",
  records_too_new: "The records were written by a newer version of aside.",
  records_unusable: "The records in the data folder cannot be opened.",
  disk_full: "The disk is full.",
  backup_unusable: "The folder holds no backup, or a damaged one.",
  backup_impossible: "Nothing can be backed up or restored there.",
  store_of_other_records: "The stored media and results belong to other records.",
  address_unusable: "The address cannot be listened on.",
  administration_failed: "A command of aside keys or aside jobs could not be carried out.",
};

/** Codes of the command line itself. */
export const CLI_MEANINGS = {
  usage: "The command was called in a way it does not know. Exit code 2.",
  cancelled: "The user cancelled the command. Exit code 130.",
  program_failed: "A program of the system that aside needs is missing, or failed.",
} as const;

/** An error in words for the command line. */
export function failureOf(error: unknown): Explanation {
  if (error instanceof UsageError || error instanceof TextHeldBack) {
    return { code: error.code, sentence: error.message, next: "" };
  }
  if (error instanceof Cancelled) {
    return { code: "cancelled", sentence: error.message, next: error.next };
  }
  const explanation = explain(error);
  const next = Object.hasOwn(NEXT_STEPS, explanation.code) ? NEXT_STEPS[explanation.code] : undefined;
  return next === undefined ? explanation : { ...explanation, next };
}

/** Tells a person, and a script with `--json`, how a command ended badly. Returns the exit code that says so. */
export function reportFailure(error: unknown, output: Output, isJson: boolean, env: NodeJS.ProcessEnv): ExitCode {
  const { code, sentence, next } = failureOf(error);
  output.tell(code === "cancelled" ? `aside: ${sentence}` : `aside: ${sentence} (${code})`);
  if (next !== "") output.tell(next);
  const held = error instanceof TextHeldBack ? { verdict: withOptions(error.verdict) } : {};
  if (isJson) output.print(JSON.stringify({ ...failureReport({ code, sentence, next }), ...held }));
  if (env["ASIDE_DEBUG"] !== undefined && error instanceof Error && !(error instanceof AudioDescriptionError)) {
    output.tell(error.stack ?? "");
  }
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof TextHeldBack) return EXIT.findings;
  return error instanceof Cancelled ? EXIT.cancelled : EXIT.failed;
}

/** A verdict with the option beside each choice, for scripts. */
function withOptions(verdict: Verdict): object {
  if (verdict.kind !== "unsure") return verdict;
  return { ...verdict, readings: verdict.readings.map((one) => ({ ...one, option: optionOf(one.choice) })) };
}

function failureReport({ code, sentence, next }: Explanation): FailureReport {
  return { error: { code, message: sentence, ...(next === "" ? {} : { next }) } };
}
