import { logInAddress } from "../../contract/page.ts";
import { USUAL_PORT } from "../../contract/pairing.ts";
import type { Administration } from "../../service/admin/administration.ts";
import { RECORDS_OPTIONS, withAdministration } from "../service-run/service-options.ts";
import { textOf } from "../shell/arguments.ts";
import type { Arguments, Command, CommandContext } from "../shell/command.ts";
import { tableOf } from "../shell/output.ts";
import { ownCommand } from "../shell/own-command.ts";
import { EXIT, type ExitCode, UsageError } from "../shell/usage-error.ts";

/** Where a service of this computer usually listens. */
const USUAL_ADDRESS = `http://127.0.0.1:${USUAL_PORT}`;

/** Team that is meant where none is named. */
const USUAL_TEAM = "local";

/** How long a link for a review counts, in days. */
const REVIEW_DAYS = { usual: 14, most: 365 } as const;

/** What else can be done with links, in place of giving one that logs in. */
const OTHERS = ["review", "reviews", "revoke"] as const;

/** Gives links to the page of a service: for its administrator, or for whoever reviews one film. */
export const PAGE: Command = {
  name: "page",
  summary: "Give a link to the page of your own service: for yourself, or to review one film.",
  synopsis: "[options]",
  notes: [
    "Without --review: the person who opens the link, once and within five minutes, is an administrator of the team for twelve hours, with all films, results, settings and keys. Give it to nobody.",
    "With --review: a person with the link hears the film and its descriptions, changes and accepts them, and signs off. The link opens no other film, settings or keys, uploads nothing, and expires by itself.",
  ],
  options: {
    url: { value: "ADDRESS", help: `Where the service is reached (default: ${USUAL_ADDRESS}).` },
    team: { value: "NAME", help: `Team whose films and results the page is for (default: ${USUAL_TEAM}).` },
    review: { value: "FILM", help: "Give a link for reviewing one film: the name of its file, or the id of a job." },
    days: {
      value: "NUMBER",
      help: `With --review: days that the link counts, 1 to ${REVIEW_DAYS.most} (default: ${REVIEW_DAYS.usual}).`,
    },
    reviews: { help: "List the links for reviews." },
    revoke: { value: "ID", help: "Revoke a link for reviewing: it opens nothing from now on." },
    ...RECORDS_OPTIONS,
  },
  async run(given, context) {
    const { values, positionals } = given;
    if (positionals.length > 0) throw new UsageError(`aside page takes no "${positionals[0]}"`);
    const asked = OTHERS.filter((name) => values[name] !== undefined);
    if (asked.length > 1) throw new UsageError(`--${asked[0]} and --${asked[1]} do not go together`);
    if (values["days"] !== undefined && values["review"] === undefined)
      throw new UsageError("--days belongs to --review");
    const days = daysFrom(textOf(given, "days"));
    const url = URL.parse(textOf(given, "url") ?? USUAL_ADDRESS);
    if (url === null || !/^https?:$/.test(url.protocol)) throw new UsageError("--url must be an http or https address");
    const base = url.href.replace(/\/+$/, "");
    return withAdministration(given, context, (administration) => {
      if (values["reviews"] === true) return listReviews(administration, context);
      const revoked = textOf(given, "revoke");
      if (revoked !== undefined) return revoke(administration, revoked, context);
      const film = textOf(given, "review");
      if (film !== undefined) return linkForReview(administration, { given, film, days, base }, context);
      return linkForAdministrator(administration, given, base, context);
    });
  },
};

async function linkForAdministrator(
  administration: Administration,
  given: Arguments,
  base: string,
  { output }: CommandContext,
): Promise<ExitCode> {
  const team = textOf(given, "team") ?? USUAL_TEAM;
  output.print(logInAddress(base, await administration.createLogInLink({ team })));
  output.tell(
    `Open it within five minutes, and give it to nobody: the person who opens it is an administrator of team "${team}" for twelve hours, with all films, results, settings and keys.`,
  );
  output.tell(`To let a reviewer see one film: ${ownCommand()} page --review FILM`);
  return EXIT.done;
}

async function linkForReview(
  administration: Administration,
  asked: { readonly given: Arguments; readonly film: string; readonly days: number; readonly base: string },
  { output }: CommandContext,
): Promise<ExitCode> {
  const { given, film, days, base } = asked;
  const team = textOf(given, "team") ?? USUAL_TEAM;
  const link = await administration.createReviewLink({ team, film, days });
  if (link === null) {
    output.tell(
      `Team "${team}" has no finished description of "${film}" that can be reviewed; a described video is none. Its jobs: ${ownCommand()} jobs list --team ${team}`,
    );
    return EXIT.failed;
  }
  output.print(logInAddress(base, link.token));
  const { id, fileName, jobId, expiresAt } = link;
  output.tell(
    `For reviewing ${fileName ?? "a film"} (job ${jobId}) until ${expiresAt.slice(0, 10)}: hearing it, changing and accepting descriptions, signing off. Whoever has the link can do that, and nothing else.`,
  );
  output.tell(`To take it back: ${ownCommand()} page --revoke ${id}`);
  return EXIT.done;
}

async function listReviews(administration: Administration, { output }: CommandContext): Promise<ExitCode> {
  const links = await administration.listReviewLinks();
  if (links.length === 0) output.print("There are no links for reviews.");
  else {
    const rows = links.map(({ id, team, fileName, jobId, createdAt, expiresAt, revokedAt }) => [
      id,
      team,
      fileName ?? jobId,
      createdAt.slice(0, 10),
      expiresAt.slice(0, 10),
      revokedAt === null ? "" : `taken back ${revokedAt.slice(0, 10)}`,
    ]);
    output.print(tableOf(["ID", "TEAM", "FILM", "MADE", "UNTIL", ""], rows));
  }
  return EXIT.done;
}

async function revoke(administration: Administration, id: string, { output }: CommandContext): Promise<ExitCode> {
  if (!(await administration.revokeReviewLink(id))) {
    output.tell(`There is no link ${id} that could be taken back. All links: ${ownCommand()} page --reviews`);
    return EXIT.failed;
  }
  output.print(`Taken back: ${id}. It opens nothing from now on.`);
  return EXIT.done;
}

/** @throws UsageError. */
function daysFrom(text: string | undefined): number {
  if (text === undefined) return REVIEW_DAYS.usual;
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= 1 && days <= REVIEW_DAYS.most) return days;
  throw new UsageError(`--days must be a whole number from 1 to ${REVIEW_DAYS.most}, not "${text}"`);
}
