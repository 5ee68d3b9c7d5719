/** Views that the panel's own menu leads to, by name: the first script tells Premiere of them. */
export const MENU_NAMES = { connect: "Service", keys: "Keys", diagnostics: "Diagnostics" } as const;

/** The words of a start that fails. They come with the first script, before all others. */
export const startWords = {
  title: "Aside could not start",
  failed: {
    load: "A part of Aside is missing, or Premiere cannot read it. Your project is unchanged.",
    run: "Aside stopped with an error while it was loading. Your project is unchanged.",
    open: "Aside stopped with an error while it was opening. Your project is unchanged.",
  },
  next: "Try again. If it fails again, restart Premiere. If that does not help, install Aside again and send us the report.",
  tried: "What was tried",
  steps: {
    announce: "Tell Premiere about the panel",
    load: "Read the panel’s files",
    run: "Load the panel",
    open: "Open the panel",
  },
  details: "Details",
  tryAgain: "Try again",
  copyReport: "Copy report",
  report: "The report contains no names or paths.",
  copied: "Copied. The report contains no names or paths.",
  noScript: "index.js did not load.",
  notCopied: "Aside cannot copy here. Select this text and copy it:",
} as const;
