/** What a reader makes of any server's `upload_status`: unknown words mean "still verifying". */
export function uploadOutcome(status: string): "ready" | "failed" | "verifying" {
  const word = status.toLowerCase();
  if (word === "completed" || word === "ready" || word === "verified") return "ready";
  return /fail|error|reject/.test(word) ? "failed" : "verifying";
}
