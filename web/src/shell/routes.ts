// Which page a path means, and the path of a page. Paths are below the base path of the server.

import { readCode } from '../start/code';

export type Route =
  | { page: 'home' }
  | { page: 'new'; rules: string | null; players: number | null }
  | { page: 'join'; code: string }
  | { page: 'table'; table: string }
  | { page: 'mine' }
  | { page: 'game'; table: string; game: number; moment: string }
  | { page: 'settings' }
  | { page: 'handover' }
  | { page: 'hello'; token: string }
  | { page: 'lost' };

/** The route of a path below the base (no slash first), its query and its fragment. */
export function routeOf(path: string, query = '', hash = ''): Route {
  const [head = '', first = '', second = '', ...more] = path.replace(/\/+$/, '').split('/');
  const asked = new URLSearchParams(query);
  const key = [head, first && '*', second && '*'].filter(Boolean).join('/');
  if (more.length) return { page: 'lost' };
  switch (key) {
    case '':
      return { page: 'home' };
    case 'new':
      return {
        page: 'new',
        rules: asked.get('rules')?.replaceAll(' ', '+') || null,
        players: whole(asked.get('players')),
      };
    case 'join': {
      // In a fragment, which never reaches a server and its logs.
      const token = new URLSearchParams(hash.replace(/^#/, '')).get('handover');
      if (token) return { page: 'hello', token };
      return { page: 'join', code: asked.get('code') ?? '' };
    }
    case 'mine':
    case 'settings':
    case 'handover':
      return { page: key };
    case 't/*': {
      const table = readCode(first);
      return table ? { page: 'table', table } : { page: 'lost' };
    }
    case 'g/*/*': {
      const table = readCode(first);
      const game = whole(second);
      if (!table || game === null) return { page: 'lost' };
      return { page: 'game', table, game, moment: hash.replace(/^#/, '') };
    }
    case 'hello/*':
      return { page: 'hello', token: first };
  }
  return { page: 'lost' };
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** The table that somebody is at who was at `before` (null: at none): one leaves it for another or
 * for none of them, but not for its settings, its hand-over, or a game that was played there. */
export function tableOf(route: Route, before: string | null): string | null {
  if (route.page === 'table') return route.table;
  const beside = route.page === 'settings' || route.page === 'handover';
  return beside || (route.page === 'game' && route.table === before) ? before : null;
}

/** The path of "new table" that carries rules: `new?rules=amigo+sweep&players=4`. */
export function newPath(rules: string, players: number): string {
  const carried = encodeURIComponent(rules).replaceAll('%2B', '+').replaceAll('%3A', ':');
  return `new?rules=${carried}&players=${players}`;
}
