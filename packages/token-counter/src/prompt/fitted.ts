/**
 * Tokens that no text explains, fitted on recorded requests; docs/accuracy.md says of each how many records hold it,
 * how many speak against it, and from how many sources. Research changes them; nothing else does.
 */
export const FITTED = {
  /** Tokens around a document (12 text documents, 64 PDFs). */
  documentFrame: 36,
  /** The same in the newer vocabulary, where its first sign does not merge with a role marker. */
  documentFrameLater: 38,
  /** Tokens around the title beside its tag, and around the context (no evidence: as the title). */
  titleFrame: 5,
  /** What a cited document has less beside its title. */
  citedTitle: -1,
  /** Around the sentences of a cited page. */
  citedPage: 7,
  /** Text that follows a text document in its message (3 records). */
  textAfter: 2,
  /** Tokens around an image in a message (67 of 68 recorded images). */
  imageFrame: 2,
  /** Media in a result (18 of 18 recorded results). */
  mediaResult: 2,
  imageInResult: 13,
  /** Each text of a result that holds media as well. */
  textBesideMedia: 6,
  /** Adaptive thinking on Opus 4.6; 0 elsewhere, and where a forced choice of a tool leaves nothing to think about. */
  adaptiveOpus46: 17,
  /** A task budget (Opus 4.7), beside the digits of what is left of it. */
  taskBudget: 34,
  /** `is_error: true` (4 of 4 recorded requests). */
  errorResult: 8,
  /** Tokens around an output schema; 49 of 53 recorded requests, Opus 4.7 one of them. */
  outputSchema: 81,
  outputSchemaLater: 119,
  /** Tokens around a search result, around those of one tool's result, and what the instructions for citing them have
   * beside those for documents: three figures from three different requests, which no other one checks. */
  searchResultFrame: 58,
  searchResults: 24,
  instructionsForResults: -15,
  /** Tokens around the summary, what tells the model about it among them: the same for four summaries, two sources. */
  compactionFrame: 85,
  /** Claude 3 Opus has the published 530 once a tool was called, and three more before. */
  opus3Calls: -3,
  /** What `display_number` adds to a computer tool beside its own digits. */
  displayNumber: 11,
  /** A forced choice with `disable_parallel_tool_use`, in every generation. */
  serialForced: 1,
  /** A tool that joins in mid-conversation: what tells the model about it. */
  toolAddition: 30,
  /** Special generations: what comes with deferred tools, unseen; the same on four models. */
  deferredTools: 93,
  /** The stand-in user turn before a conversation that begins with the assistant (6 of 6 requests, 4.5 and 4.6). */
  standInUserTurn: 12,
  /** Tokens around a page (62 recorded one-page PDFs; 5 series: 3). */
  pageFrame: 7,
  pageFrameSpecial: 10,
  /** Claude 3 Haiku and 3.5 Haiku: every page costs the same (letter and A4 recorded). */
  flatPage: 1571,
};

/** Ways of writing that few sources show; research turns them off to see what they are worth. */
export const FORMS = {
  /** Tools that a result refers to stand in a list of functions of their own. */
  listsReferences: true,
  /** Among several results, one that loads tools does not name the tool that it comes from. */
  namelessReferences: true,
  /** Text of an answer that cites its sources stands in a tag (1 record, which the tag itself explains). */
  citeTags: true,
};
