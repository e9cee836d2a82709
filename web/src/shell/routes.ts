// Paths of pages, and back. Paths are relative to the base path of the server.

import { readCode } from './code';

export type Route =
  | { page: 'home' }
  | { page: 'new'; rules: string | null; players: number | null }
  | { page: 'join'; code: string }
  | { page: 'table'; table: string }
  | { page: 'tv'; table: string }
  | { page: 'event'; event: string }
  | { page: 'mine' }
  | { page: 'day' }
  | { page: 'stats' }
  | { page: 'game'; table: string; game: number; moment: string; viewpoint: number | null }
  | { page: 'open'; link: string; moment: string; viewpoint: number | null }
  | { page: 'settings' }
  | { page: 'learn' }
  | { page: 'handover' }
  | { page: 'recover'; table: string | null }
  | { page: 'hello'; token: string }
  | { page: 'lost' };

/** The route of a relative path (no leading slash), its query and its fragment. */
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
      // in the fragment, which never reaches a server or its logs
      const token = new URLSearchParams(hash.replace(/^#/, '')).get('handover');
      if (token) return { page: 'hello', token };
      return { page: 'join', code: asked.get('code') ?? '' };
    }
    case 'day':
    case 'stats':
    case 'mine':
    case 'settings':
    case 'learn':
    case 'handover':
      return { page: key };
    case 'recover':
      return { page: key, table: readCode(asked.get('table') ?? '') };
    case 'open': {
      const asked = shown(hash);
      return { page: 'open', link: asked.first, moment: asked.at, viewpoint: asked.viewpoint };
    }
    case 't/*':
    case 'tv/*': {
      const table = readCode(first);
      return table ? { page: head === 't' ? 'table' : 'tv', table } : { page: 'lost' };
    }
    case 'e/*': {
      const event = readCode(first);
      return event ? { page: 'event', event } : { page: 'lost' };
    }
    case 'g/*/*': {
      const table = readCode(first);
      const game = whole(second);
      if (!table || game === null) return { page: 'lost' };
      const asked = shown(hash);
      return { page: 'game', table, game, moment: asked.first, viewpoint: asked.viewpoint };
    }
  }
  return { page: 'lost' };
}

/** Split a fragment (docs/forms.md): its first part, the moment, and the viewpoint. */
function shown(hash: string): { first: string; at: string; viewpoint: number | null } {
  const [first = '', ...more] = hash.replace(/^#/, '').split('&');
  const asked = new URLSearchParams(more.join('&'));
  return { first, at: asked.get('at') ?? '', viewpoint: whole(asked.get('viewpoint')) };
}

function whole(text: string | null): number | null {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) : null;
}

/** The table that I am at after going to a route, given the one before (null for none). Settings,
 * handover and games played there belong to the table, so going there is not leaving. */
export function tableOf(route: Route, before: string | null): string | null {
  if (route.page === 'table') return route.table;
  const beside = route.page === 'settings' || route.page === 'handover';
  return beside || (route.page === 'game' && route.table === before) ? before : null;
}

/** The path of "new table" with given rules: `new?rules=amigo+sweep&players=4`. */
export function newPath(rules: string, players: number): string {
  const carried = encodeURIComponent(rules).replaceAll('%2B', '+').replaceAll('%3A', ':');
  return `new?rules=${carried}&players=${players}`;
}
