import type { SettingsInForce } from "../../contract/service-settings.ts";
import { escapeHtml } from "../../core/escape-html.ts";

/** What the page tells. */
export interface HomeFacts {
  readonly settings: SettingsInForce;
  /** Jobs by state, in the order in which they are told. */
  readonly jobs: readonly (readonly [state: string, count: number])[];
}

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
  dt { font-weight: 600; margin-top: 0.8rem; } dd { margin: 0; }
  code { font-size: 0.95em; }
`;

const PARTS = [
  ["describer", "Who describes"],
  ["dialogue", "What is said"],
  ["voice", "Who speaks"],
  ["privacy", "What leaves this computer"],
] as const;

/** The page that a companion opens: that it runs, what it does, and what to do next. It has no script, and no word of a team. */
export function homePage({ settings, jobs }: HomeFacts): string {
  const parts = PARTS.map(([part, title]) => `<dt>${title}</dt>\n<dd>${escapeHtml(settings[part].state)}</dd>`);
  const counted = jobs.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${escapeHtml(state)}`);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Aside</title>
<style>${STYLE}</style>
<main>
<h1>Aside is running</h1>
<p>In Premiere, open Window &gt; UXP Plugins &gt; Aside: the panel finds this service by itself. You may close this page.</p>
<h2>Who does the work</h2>
<dl>
${parts.join("\n")}
</dl>
<p>Changed in the panel, in its view Service, or by <code>aside settings</code>.</p>
<h2>Jobs</h2>
<p>${counted.length === 0 ? "None yet." : `${counted.join(", ")}.`}</p>
<p><a href="/docs">The interface, for those who write programs</a></p>
</main>
</html>
`;
}
