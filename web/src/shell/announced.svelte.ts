// What the operator of the server has told everybody, while it is shown.

import type { Announcement } from '../protocol';

export const announced = $state<{ now: Announcement | null }>({ now: null });
