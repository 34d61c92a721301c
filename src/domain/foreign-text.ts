/** Text that the service did not write itself: a guard looks at it before it leaves for a provider. */
export interface ForeignText {
  readonly what: TextKind;
  readonly text: string;
}

export type TextKind = "question" | "transcript" | "attached_text" | "passage" | "answer" | "tool_reply";

/** Who would see it. */
export type Destination = "model" | "embedder" | "reranker" | "recogniser" | "voice";
