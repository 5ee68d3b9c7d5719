import { dirname } from "node:path";
import { DEFAULT_SETTINGS, type DescriptionSettings, type VoiceSettings } from "../../../core/settings.ts";
import type { ServiceChoice } from "../../service-run/service-run.ts";
import type { Arguments } from "../../shell/command.ts";
import { UsageError } from "../../shell/usage-error.ts";

/** What `aside conform` was asked for. */
export interface ConformCall {
  readonly placed: string;
  readonly recut: string;
  readonly out: string;
  readonly format: "otio" | "fcp7-xml";
  readonly cues?: string;
  readonly overwrites: boolean;
  readonly isJson: boolean;
  /** Absent: what is new is not described. */
  readonly describesNew?: DescribeNewCall;
}

/** How the new picture is described. */
export interface DescribeNewCall extends ServiceChoice {
  readonly settings: DescriptionSettings & VoiceSettings;
  readonly track: "ad_only" | "none";
  /** Only says what it would take. */
  readonly isDryRun: boolean;
}

/** Options that count together with `--describe-new` alone. */
const DESCRIBING = ["dry-run", "track", "language", "voice", "category", "instructions", "server", "data", "resend"];

/**
 * Makes a call of the arguments. What the new picture is described with is taken from the record beside <placed> where an
 * option does not say otherwise.
 *
 * @throws UsageError naming what is wrong.
 */
export async function conformCallFrom(given: Arguments, env: NodeJS.ProcessEnv): Promise<ConformCall> {
  const { positionals, values } = given;
  const [placed, recut, out, ...more] = positionals;
  if (placed === undefined || recut === undefined || out === undefined || more.length > 0) {
    throw new UsageError(
      'conform needs three files: aside conform <placed> <recut> <out>. See "aside conform --help".',
    );
  }
  const format = /\.otio$/i.test(out) ? "otio" : /\.xml$/i.test(out) ? "fcp7-xml" : null;
  if (format === null) throw new UsageError("the name of <out> must end in .otio or .xml");
  const describesNew = await describingFrom(given, env, placed);
  const cues = values["cues"];
  return {
    placed,
    recut,
    out,
    format,
    ...(typeof cues === "string" ? { cues } : {}),
    overwrites: values["force"] === true,
    isJson: values["json"] === true,
    ...(describesNew === null ? {} : { describesNew }),
  };
}

async function describingFrom(
  given: Arguments,
  env: NodeJS.ProcessEnv,
  placed: string,
): Promise<DescribeNewCall | null> {
  const { values } = given;
  if (values["describe-new"] !== true) {
    const alone = DESCRIBING.find((name) => values[name] !== undefined);
    if (alone !== undefined) throw new UsageError(`--${alone} counts only together with --describe-new`);
    return null;
  }
  // Loaded here alone: plain conforming needs none of it.
  const [{ settingsFrom }, { readFolderRecord }, { choiceOf, serviceFrom }] = await Promise.all([
    import("../describe/describe-call.ts"),
    import("../../out-folder/folder-record.ts"),
    import("../../shell/arguments.ts"),
  ]);
  const record = await readFolderRecord(dirname(placed)).catch(() => null);
  // What is new is rendered from the cut, which has one sound.
  const { audioTrack: _, ...asked } = record?.settings ?? DEFAULT_SETTINGS;
  const service = serviceFrom(given, env);
  // A mix of the old cut is made anew as a whole: its new cues come without a voice.
  const was = record === null || record.track === "ad_only" ? "ad_only" : "none";
  return {
    settings: { ...(await settingsFrom(given, asked)), format: "vtt", type: "standard" },
    track: choiceOf(given, "track", ["ad_only", "none"] as const) ?? was,
    ...service,
    sendsAgain: values["resend"] === true,
    isDryRun: values["dry-run"] === true,
  };
}
