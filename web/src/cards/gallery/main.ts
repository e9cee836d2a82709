// For design work and for tests/page/test_look.py; not part of the page.
//     ?theme=light   ?language=de   ?edition=fundex   ?show=fans   (else everything)
import { mount } from 'svelte';
import '../../style/tokens.css';
import '../../style/base.css';
import { LANGUAGES, speak } from '../../languages';
import Gallery from './Gallery.svelte';

const asked = new URLSearchParams(location.search);
const theme = asked.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;
await speak(LANGUAGES.find((each) => each === asked.get('language')) ?? 'en');
mount(Gallery, {
  target: document.getElementById('app')!,
  props: { edition: asked.get('edition') ?? 'poof', show: asked.get('show') },
});
