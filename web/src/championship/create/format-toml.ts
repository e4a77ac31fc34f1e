/** A format from the fields of a form, as the TOML that every other place reads. */
export type Criterion = 'wins' | 'score' | 'best_games' | 'points';

export interface StageFields {
  name: string;
  sittings: number;
  games: number;
  seating: 'raffle' | 'standings';
  /** How many of the stage before play on; 0 for all. */
  takes: number;
  cut: 'ranking' | 'table_winners';
  carry: 'none' | 'all' | 'half_score';
}

export interface FormatFields {
  name: string;
  book: string;
  /** Whether citizenship and earlier editions are checked, as WRC 9 G1 and G2 ask. */
  citizens: boolean;
  stages: StageFields[];
  ranking: Criterion[];
  /** Points for places at a table, where they count. */
  points: string;
}

export const newStage = (name: string): StageFields => ({
  name,
  sittings: 1,
  games: 4,
  seating: 'raffle',
  takes: 0,
  cut: 'ranking',
  carry: 'none',
});

const quoted = (text: string): string => JSON.stringify(text);

/** Points for places as they were typed: "4, 3, 1, 0". */
export const pointsIn = (text: string): number[] => (text.match(/\d{1,3}/g) ?? []).slice(0, 8).map(Number);

export function formatToml({ name, book, citizens, stages, ranking, points }: FormatFields): string {
  const lines = [
    'id = "own"',
    'version = "1"',
    `name = ${quoted(name.trim() || 'Own format')}`,
    `book = ${quoted(book)}`,
    `conditions = ${citizens ? '{ citizens_only = true, not_twice_running = true, per_country = 1 }' : '{}'}`,
    `ranking = [${ranking.map(quoted).join(', ')}]`,
  ];
  if (ranking.includes('points')) lines.push(`placement = { points = [${pointsIn(points).join(', ')}], each = "sitting" }`);
  stages.forEach((stage, place) => {
    lines.push('', '[[stages]]', `id = "stage${place + 1}"`, `name = ${quoted(stage.name.trim() || `${place + 1}`)}`);
    lines.push(`sittings = ${stage.sittings}`, `games = ${stage.games}`, `seating = ${quoted(stage.seating)}`);
    if (!place) return;
    if (stage.takes) lines.push(`takes = ${stage.takes}`, ...(stage.cut === 'table_winners' ? ['cut = "table_winners"'] : []));
    if (stage.carry !== 'none') lines.push(`carry = ${quoted(stage.carry)}`);
  });
  return `${lines.join('\n')}\n`;
}

/** A time of day so many minutes after another: 10:00 and 135 give 12:15. */
export function timeAfter(start: string, minutes: number): string {
  const [hours, rest] = start.split(':').map(Number);
  const at = (((hours || 0) * 60 + (rest || 0) + minutes) % 1440 + 1440) % 1440;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
}
