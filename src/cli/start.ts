import { defined } from "../core/objects.ts";
import { summaryOf } from "./commands/describe/describe.ts";
import { DESCRIBE_OPTIONS, type DescribeCall } from "./commands/describe/describe-call.ts";
import { SAMPLE_CLIP, sampleNote, sampleScript } from "./sample.ts";
import { variablesInForce } from "./service-run/service-options.ts";
import type { Command } from "./shell/command.ts";
import { ownCommand } from "./shell/own-command.ts";
import { showingProgress } from "./shell/progress.ts";
import { endWith, runCommand } from "./shell/run-command.ts";
import { EXIT } from "./shell/usage-error.ts";

/** What `npm start` does: describes a file, or the sample clip, and shows how to go on. */
const START: Command = {
  name: "start",
  summary: "Describe a sample clip, or your own file, and show the result.",
  synopsis: "[media] [options]",
  notes: [],
  options: DESCRIBE_OPTIONS,
  async run(given, { output, screen, env, signal }) {
    const [{ describeCallFrom }, { describeMedia }] = await Promise.all([
      import("./commands/describe/describe-call.ts"),
      import("./commands/describe/describe-media.ts"),
    ]);
    const isOwn = given.positionals.length > 0;
    const positionals = isOwn ? given.positionals : [SAMPLE_CLIP];
    const asked = await describeCallFrom({ ...given, positionals }, env);
    const script = isOwn ? undefined : await scriptInstead(asked, env);
    const call = script === undefined ? asked : { ...asked, settings: { ...asked.settings, script } };
    const report = await showingProgress(screen, (progress) => describeMedia(call, { env, signal, progress }));
    output.print(summaryOf(report, call.out));
    if (!isOwn) output.print(`\n${sampleNote(report.cues)}`);
    const command = ownCommand();
    if (script !== undefined) output.print(`\n${NO_MODEL}\nWhat is at hand:        ${command} describers`);
    output.print(`\nOn a file of your own:  npm start -- my.mp4   or   ${command} describe my.mp4`);
    output.print(`All options:            ${command} describe --help`);
    return EXIT.done;
  },
};

/** Where the words come from, and how others are to be had. */
const NO_MODEL = `No vision model was found. The words are the sample's own script, written by those who drew it.
Of a film of your own only text on screen is spoken then; every other pause is left for you on a worksheet.
For a model that describes: install one on this computer (aside models list), start Ollama or LM Studio with one that sees,
or choose a provider by aside settings.`;

/** The sample's own script, where nothing else would describe it in the language asked for; `undefined` elsewhere. */
async function scriptInstead(
  { settings, server, dataFolder }: DescribeCall,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  if (settings.script !== undefined || server !== undefined || !settings.language.startsWith("en")) return undefined;
  const [{ visionConfiguration }, { findLocalModels }] = await Promise.all([
    import("../engine/models/vision-settings.ts"),
    import("../engine/models/local-models.ts"),
  ]);
  const { kind } = visionConfiguration(await variablesInForce(defined({ dataFolder }), env));
  // One that is named but cannot be used is told of by the job: nothing takes its place.
  if (kind === "configured" || kind === "incomplete") return undefined;
  const isFound = kind === "absent" && (await findLocalModels()).length > 0;
  return isFound ? undefined : sampleScript();
}

await endWith((terminal) => runCommand(START, process.argv.slice(2), terminal));
