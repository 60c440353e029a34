/** What the element says, in the languages that it knows. Pure. */

export interface Labels {
  /** Names the group of thumbs; shown where `question` is. */
  question: string;
  helpful: string;
  notHelpful: string;
  /** Above the comment, after a thumb up and after a thumb down. */
  commentHelpful: string;
  commentNotHelpful: string;
  send: string;
  cancel: string;
  sending: string;
  thanks: string;
  cleared: string;
  commentSent: string;
  failed: string;
  retry: string;
  expired: string;
  refused: string;
}

const ENGLISH: Labels = {
  question: "Was this helpful?",
  helpful: "Helpful",
  notHelpful: "Not helpful",
  commentHelpful: "What did you like? (optional)",
  commentNotHelpful: "What could be better? (optional)",
  send: "Send",
  cancel: "Close",
  sending: "Sending…",
  thanks: "Thank you for your feedback.",
  cleared: "Your feedback was taken back.",
  commentSent: "Thank you, your comment was sent.",
  failed: "Your feedback could not be sent.",
  retry: "Try again",
  expired: "Feedback is no longer possible here. Reload the page to give it.",
  refused: "Your feedback was not accepted.",
};

const GERMAN: Labels = {
  question: "War das hilfreich?",
  helpful: "Hilfreich",
  notHelpful: "Nicht hilfreich",
  commentHelpful: "Was hat Ihnen gefallen? (freiwillig)",
  commentNotHelpful: "Was könnte besser sein? (freiwillig)",
  send: "Senden",
  cancel: "Schließen",
  sending: "Wird gesendet …",
  thanks: "Vielen Dank für Ihre Rückmeldung.",
  cleared: "Ihre Rückmeldung wurde zurückgenommen.",
  commentSent: "Vielen Dank, Ihr Kommentar wurde gesendet.",
  failed: "Ihre Rückmeldung konnte nicht gesendet werden.",
  retry: "Noch einmal versuchen",
  expired: "Hier ist keine Rückmeldung mehr möglich. Laden Sie die Seite neu, um sie zu geben.",
  refused: "Ihre Rückmeldung wurde nicht angenommen.",
};

const LANGUAGES: Record<string, Labels> = { en: ENGLISH, de: GERMAN };

/** Those of a language, `de-AT` as `de`; English where it is not known. */
export function labelsIn(language: string): Labels {
  return LANGUAGES[language.toLowerCase().split("-")[0] ?? ""] ?? ENGLISH;
}
