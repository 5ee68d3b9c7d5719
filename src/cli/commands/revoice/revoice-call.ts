import { VOICES } from "../../../contract/choices.ts";
import { defined } from "../../../core/objects.ts";
import type { VoiceSettings } from "../../../core/settings.ts";
import { REMEDY_KINDS, type RemedyKind } from "../../../workflow/remedies.ts";
import type { ServiceChoice } from "../../service-run/service-run.ts";
import { choiceOf, knownOf, serviceFrom, textOf, volumeFrom } from "../../shell/arguments.ts";
import type { Arguments } from "../../shell/command.ts";
import { UsageError } from "../../shell/usage-error.ts";

/** What `aside revoice` was asked for. */
export interface RevoiceCall extends ServiceChoice {
  /** A folder of results, or a timeline. */
  readonly source: string;
  readonly folder?: string;
  readonly cues?: string;
  readonly recordings?: string;
  readonly fit?: RemedyKind;
  /** Absent: as the timeline has it now. */
  readonly isInClips?: boolean;
  readonly voice?: string;
  readonly volume?: NonNullable<VoiceSettings["volume"]>;
  readonly isDryRun: boolean;
  readonly overwrites: boolean;
  readonly isJson: boolean;
}

/** @throws UsageError naming what is wrong. */
export function revoiceCallFrom(given: Arguments, env: NodeJS.ProcessEnv): RevoiceCall {
  const { values, positionals } = given;
  const [source, ...rest] = positionals;
  if (source === undefined || rest.length > 0) {
    throw new UsageError("name one folder of results or one timeline: aside revoice <results or timeline> [options]");
  }
  const service = serviceFrom(given, env);
  if (values["clips"] === true && values["stem"] === true) throw new UsageError("choose one of --clips and --stem");
  const fit = choiceOf(given, "fit", REMEDY_KINDS);
  const volume = volumeFrom(given);
  const texts = {
    folder: textOf(given, "record"),
    cues: textOf(given, "cues"),
    recordings: textOf(given, "recordings"),
    voice: knownOf(
      given,
      "voice",
      VOICES.map(({ name }) => name),
    ),
  };
  return {
    source,
    ...defined({ ...texts, fit }),
    ...(values["clips"] === true ? { isInClips: true } : {}),
    ...(values["stem"] === true ? { isInClips: false } : {}),
    ...defined({ volume }),
    ...service,
    isDryRun: values["dry-run"] === true,
    overwrites: values["force"] === true,
    sendsAgain: values["resend"] === true,
    isJson: values["json"] === true,
  };
}
