import type { CatalogueVoice } from "../../engine/voice/voice-names.ts";
import { partInForce, RECORDS_OPTIONS } from "../service-run/service-options.ts";
import type { Command } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Languages that are listed one by one in the table; more are counted. */
const LISTED_LANGUAGES = 6;

const ALIKE = "Other names of the catalogue sound like one of these: --all lists them.";

const NATURAL = "Natural voices to download, free and without a server: aside models.";

function spoken(languages: readonly string[]): string {
  return languages.length > LISTED_LANGUAGES ? `${languages.length} languages` : languages.join(", ");
}

/** Lists the voices that are heard, or all names by what the configured engine speaks. */
export const VOICES_COMMAND: Command = {
  name: "voices",
  summary: "List the voices, and the languages in which the embedded service speaks them.",
  synopsis: "[options]",
  notes: [
    "Names marked with * are not confirmed to exist on the hosted service. aside settings chooses another voice than the built-in one; ASIDE_VOICE_URL, ASIDE_VOICE_COMMAND, ASIDE_VOICE_RECORDINGS, ASIDE_VOICE_SYSTEM and ASIDE_VOICE_NATURAL win over it. Which of both it was is told on the error output.",
  ],
  options: {
    all: { help: "All names of the catalogue, also those that sound like another one." },
    language: { value: "CODE", help: "Only voices that speak this language (BCP-47 code)." },
    data: RECORDS_OPTIONS.data,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, { output, env }) {
    const { values, positionals } = given;
    if (positionals.length > 0) throw new UsageError(`aside voices takes no "${positionals[0]}"`);
    // Loaded here alone: help and version start without the voices.
    const [{ voiceCatalogue }, { openVoice, voiceConfiguration }, { heardVoices }, { installedModels }] =
      await Promise.all([
        import("../../engine/voice/voice-names.ts"),
        import("../../engine/voice/voice-settings.ts"),
        import("../../engine/voice/heard-voices.ts"),
        import("../../engine/store/installed.ts"),
      ]);
    const { variables, sources, named } = await partInForce("voice", given, env);
    output.tell(sources);
    const configuration = voiceConfiguration(variables);
    if (configuration.kind === "incomplete")
      throw new UsageError(`the voice is not fully configured: ${named(configuration.reason)}`);
    const { language } = values;
    const voice = await openVoice(configuration);
    const voices = voiceCatalogue(voice).filter(
      ({ languages }) => typeof language !== "string" || languages.includes(language),
    );
    // Where the engine has few voices, several names lead to one: who is heard is told, in the language that is asked for.
    const heardAs = ({ name, languages: [first = ""] }: CatalogueVoice) =>
      voice.speaker?.(typeof language === "string" ? language : first, name).title ?? "";
    if (values["json"] !== true && values["all"] !== true && voices.length > 0) {
      const heard = (await heardVoices(variables)).filter(
        ({ languages }) => typeof language !== "string" || languages.includes(language),
      );
      const rows = heard.map(({ voice: name, title, gender, languages }) => [
        name,
        title,
        gender ?? "",
        spoken(languages),
      ]);
      output.print(tableOf(["NAME", "HEARD AS", "GENDER", "SPEAKS"], rows));
      if (heard.length < voices.length) output.tell(ALIKE);
      if (!installedModels(variables).some(({ kind }) => kind === "voice")) output.tell(NATURAL);
    } else if (values["json"] === true) {
      output.print(JSON.stringify(voices));
    } else if (voices.length === 0) {
      output.print(`No voice speaks ${language}.`);
    } else {
      const rows = voices.map((one) => [
        one.isConfirmed ? one.name : `${one.name} *`,
        one.gender,
        spoken(one.languages),
        ...(voice.speaker === undefined ? [] : [heardAs(one)]),
      ]);
      const heads = ["NAME", "GENDER", "SPEAKS", ...(voice.speaker === undefined ? [] : ["HEARD AS"])];
      output.print(tableOf(heads, rows));
    }
    return EXIT.done;
  },
};
