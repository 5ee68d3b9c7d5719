import type { ParseIssue } from "../../formats/parse-issue.ts";

/** Issues told one by one; the rest is counted. */
const ISSUES_TOLD = 20;

/** What a reader met in a text, a line each; a long list is cut off and counted. */
export function issueLines(issues: readonly ParseIssue[]): string[] {
  const lines = issues.slice(0, ISSUES_TOLD).map((issue) => {
    const place = issue.line > 0 ? `line ${issue.line}: ` : "";
    return `${place}${issue.message}${issue.text === "" ? "" : `: ${issue.text}`}`;
  });
  const rest = issues.length - lines.length;
  return rest > 0 ? [...lines, `... and ${rest} more; "aside convert --json" lists them all`] : lines;
}
