// The current message of the server's operator to everyone.

import type { Announcement } from '../protocol';

export const announced = $state<{ now: Announcement | null }>({ now: null });
