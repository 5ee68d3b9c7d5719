import { logInAddress } from "../../contract/page.ts";
import { USUAL_PORT } from "../../contract/pairing.ts";
import { RECORDS_OPTIONS, recordsFrom } from "../service-run/records-options.ts";
import { textOf } from "../shell/arguments.ts";
import type { Command } from "../shell/command.ts";
import { EXIT, UsageError } from "../shell/usage-error.ts";

/** Where a service of this computer usually listens. */
const USUAL_ADDRESS = `http://127.0.0.1:${USUAL_PORT}`;

/** Gives a link that logs an administrator in to the page of a service. */
export const PAGE: Command = {
  name: "page",
  summary: "Give a link that logs you in to the page of a service of your own.",
  synopsis: "[options]",
  notes: ["The link works once, within five minutes; who opens it is an administrator of the team for twelve hours."],
  options: {
    url: { value: "ADDRESS", help: `Where the service is reached (default: ${USUAL_ADDRESS}).` },
    team: { value: "NAME", help: "Team whose films and results the page is for (default: local)." },
    ...RECORDS_OPTIONS,
  },
  async run(given, { output, env }) {
    if (given.positionals.length > 0) throw new UsageError(`aside page takes no "${given.positionals[0]}"`);
    const url = URL.parse(textOf(given, "url") ?? USUAL_ADDRESS);
    if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError("--url must be an http or https address");
    const team = textOf(given, "team");
    // Loaded here alone: help and version start without the service.
    const { openAdministration } = await import("../../service/admin/open-administration.ts");
    const administration = await openAdministration(recordsFrom(given, env));
    try {
      const token = await administration.createLogInLink(team === undefined ? {} : { team });
      output.print(logInAddress(url.href.replace(/\/+$/, ""), token));
      return EXIT.done;
    } finally {
      await administration.close();
    }
  },
};
