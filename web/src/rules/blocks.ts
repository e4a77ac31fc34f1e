/** A page of rules, as blocks; `where` cites clauses and rulings. */
export type Block =
  | { kind: 'heading'; text: string; level: number }
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; rows: [label: string, value: string, where: string][]; heads: string[] }
  | { kind: 'items'; rows: [term: string, text: string, where: string][] }
  | {
      kind: 'comparison';
      rows: [label: string, first: [value: string, where: string], second: [value: string, where: string]][];
      heads: string[];
    }
  | { kind: 'table'; rows: string[][]; heads: string[] };
