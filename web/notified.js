// Touching a notification leads back to the table.
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { scope } = self.registration;
  const target = new URL(event.notification.data?.path ?? '', scope).href;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const page = pages.find((each) => each.url === target) ?? pages[0];
    if (page) await page.focus();
    else await self.clients.openWindow(target);
  };
  event.waitUntil(open());
});
