import type { Administration } from "../../service/admin/administration.ts";
import { RECORDS_OPTIONS, withAdministration } from "../service-run/service-options.ts";
import { type Arguments, actionOf, type Command, type CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { ownCommand } from "../shell/own-command.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

const ACTIONS = ["create", "list", "revoke"] as const;

/** Makes, lists and withdraws the API keys of a service, whether it runs or not. */
export const KEYS: Command = {
  name: "keys",
  summary: "Make, list and revoke the API keys of your own service.",
  synopsis: "create|list|revoke ID [options]",
  notes: ["A key is shown once, when it is made; only its hash is kept. The service may run meanwhile."],
  options: {
    name: { value: "TEXT", help: "With create: what the key is for." },
    administrator: { help: "With create: the key may change the settings of the service too." },
    metrics: { help: "With create: the key reads /metrics, and nothing else." },
    team: { value: "NAME", help: "With create: team that the key belongs to (default: local)." },
    ...RECORDS_OPTIONS,
    json: { help: "Print JSON, and nothing else, on standard output." },
  },
  async run(given, context) {
    const { action, id } = actionOf(KEYS, given, ACTIONS, ["revoke"]);
    return withAdministration(given, context, (administration) => {
      if (action === "create") return create(administration, given, context);
      if (action === "list") return list(administration, given, context);
      return revoke(administration, id, given, context);
    });
  },
};

async function create(
  administration: Administration,
  { values }: Arguments,
  { output }: CommandContext,
): Promise<ExitCode> {
  const { name, team } = values;
  if (values["administrator"] === true && values["metrics"] === true) {
    throw new UsageError("a key is --administrator or --metrics, not both");
  }
  const created = await administration.createKey({
    isAdministrator: values["administrator"] === true,
    isForMetrics: values["metrics"] === true,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof team === "string" ? { team } : {}),
  });
  const { id, key } = created;
  const sentence = `API key ${id} of team ${created.team} (shown this once, only its hash is kept): ${key}`;
  output.print(values["json"] === true ? JSON.stringify(created) : sentence);
  return EXIT.done;
}

async function list(
  administration: Administration,
  { values }: Arguments,
  { output }: CommandContext,
): Promise<ExitCode> {
  const keys = await administration.listKeys();
  if (values["json"] === true) output.print(JSON.stringify(keys));
  else if (keys.length === 0) output.print(`There are no keys. Make one: ${ownCommand()} keys create`);
  else {
    const rows = keys.map((key) => [
      key.id,
      key.team,
      key.isForMetrics ? "metrics alone" : key.isAdministrator ? "settings too" : "",
      key.createdAt,
      key.revokedAt ?? "",
      key.name,
    ]);
    output.print(tableOf(["ID", "TEAM", "MAY", "MADE", "WITHDRAWN", "NAME"], rows));
  }
  return EXIT.done;
}

async function revoke(
  administration: Administration,
  id: string,
  { values }: Arguments,
  { output }: CommandContext,
): Promise<ExitCode> {
  const isRevoked = await administration.revokeKey(id);
  const sentence = isRevoked ? `Key ${id} is withdrawn.` : `There is no key ${id} that could be withdrawn.`;
  output.print(values["json"] === true ? JSON.stringify({ id, revoked: isRevoked }) : sentence);
  return isRevoked ? EXIT.done : EXIT.failed;
}
