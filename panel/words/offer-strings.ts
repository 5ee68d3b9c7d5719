/** What is offered for a line that is too long and for a pause without words, and what comes of each. */
export const OFFER_STRINGS = {
  tooLong: "Longer than its gap:",
  orFaster: "{room}, or speak faster",
  pauseOffers: "This pause",
  upTo: "Up to {seconds} s, {words} {words:word|words}",
  upToCharacters: "Up to {seconds} s, {words} characters",
  leaveSilent: "Leave silent",
  leaveSilentHint: "Counts as done. You can write here later.",
  writeLater: "Not silent",
  writeLaterHint: "This pause is left silent. Type words, or count it as still to write.",
  leftSilent: "left silent, room for {room}",
  offerNames: {
    shorten: "Shorten",
    earlier: "Start earlier",
    later: "Start later",
    faster: "Speak faster",
    duck: "Over music",
    accept: "Leave",
  },
  offerDetails: {
    shorten: "“{text}”",
    move: "At {time}, in its pause",
    faster: "{wordsPerMinute} words a minute",
    duck: "At {time}; the music is lowered under it",
    accept: "Stays, {beyond} s beyond its pause",
  },
} as const;
