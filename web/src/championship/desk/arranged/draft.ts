/** What the desk's form holds while it is being filled in, and the definition that is sent. */
import type { Arrangements } from '../../../api/generated/http';
import { localized } from '../../../ui/format';

export const ASKED = ['born_from', 'born_until', 'country', 'newcomer', 'column', 'players'] as const;
export type Asked = (typeof ASKED)[number];

export interface CategoryDraft {
  id: string;
  name: string;
  asks: Asked;
  value: string;
  equals: string;
}
export interface PrizeDraft {
  name: string;
  amount: string;
  /** A category's id, `teams`, or nothing for everybody. */
  to: string;
  notFirst: number;
  again: boolean;
}
export interface Draft {
  categories: CategoryDraft[];
  prizes: PrizeDraft[];
  teams: boolean;
  best: number;
  stage: string;
  fees: boolean;
  currency: string;
  amount: string;
  reduced: Record<string, string>;
  /** The day of each sitting, by “stage sitting”. */
  days: Record<string, string>;
}

const euros = (cents: number | undefined): string => (cents === undefined ? '' : (cents / 100).toFixed(2));
export const cents = (typed: string): number => Math.round(Number(typed.trim().replace(',', '.')) * 100) || 0;

/** A form filled with what is arranged. */
export function draftOf(made: Arrangements): Draft {
  const fees = made.fees ?? null;
  return {
    categories: (made.categories ?? []).map((one) => {
      const asks = ASKED.find((what) => one[what] && !(Array.isArray(one[what]) && !one[what].length)) ?? 'players';
      const value = one[asks];
      return {
        id: one.id,
        name: localized(one.name),
        asks,
        value: Array.isArray(value) ? value.join(' ') : typeof value === 'string' ? value : '',
        equals: one.value ?? '',
      };
    }),
    prizes: (made.prizes ?? []).map((one) => ({
      name: localized(one.name),
      amount: one.amount ?? '',
      to: one.to === 'teams' ? 'teams' : (one.category ?? ''),
      notFirst: one.not_first ?? 0,
      again: one.again ?? false,
    })),
    teams: !!made.teams,
    best: made.teams?.best ?? 0,
    stage: made.teams?.stage ?? '',
    fees: !!fees,
    currency: fees?.currency ?? 'EUR',
    amount: euros(fees?.amount),
    reduced: Object.fromEntries(Object.entries(fees?.reduced ?? {}).map(([id, amount]) => [id, euros(amount)])),
    days: Object.fromEntries((made.days ?? []).flatMap((day) => day.sittings.map((key) => [key.join(' '), day.date]))),
  };
}

/** A new id that no category has. */
export function freshId(draft: Draft): string {
  let number = draft.categories.length + 1;
  while (draft.categories.some((one) => one.id === `c${number}`)) number += 1;
  return `c${number}`;
}

function asked(one: CategoryDraft): Record<string, unknown> {
  switch (one.asks) {
    case 'newcomer':
      return { newcomer: true };
    case 'players':
      return { players: (one.value.match(/\d+/g) ?? []).map(Number) };
    case 'column':
      return { column: one.value.trim(), value: one.equals.trim() };
    case 'country':
      return { country: one.value.trim().toUpperCase() };
    default:
      return { [one.asks]: one.value };
  }
}

/** The definition as a TOML file has it. */
export function definitionOf(draft: Draft): Record<string, unknown> {
  const dates = [...new Set(Object.values(draft.days).filter(Boolean))].sort();
  return {
    categories: draft.categories.map((one) => ({ id: one.id, name: one.name.trim(), ...asked(one) })),
    prizes: draft.prizes.map((one) => ({
      name: one.name.trim(),
      amount: one.amount.trim(),
      ...(one.to === 'teams' ? { to: 'teams' } : { category: one.to }),
      not_first: one.notFirst || 0,
      again: one.again,
    })),
    ...(draft.teams && { teams: { ...(draft.best > 0 && { best: draft.best }), stage: draft.stage } }),
    ...(draft.fees && {
      fees: {
        currency: draft.currency.trim() || 'EUR',
        amount: cents(draft.amount),
        reduced: Object.fromEntries(
          draft.categories.filter((one) => draft.reduced[one.id]?.trim()).map((one) => [one.id, cents(draft.reduced[one.id] ?? '')]),
        ),
      },
    }),
    days: dates.map((date) => ({
      date,
      sittings: Object.entries(draft.days).filter(([, day]) => day === date).map(([key]) => key),
    })),
  };
}
