import { mount } from 'svelte';
import './style/tokens.css';
import './style/base.css';
import App from './App.svelte';
import { start } from './alone/home';
import { layout } from './layout.svelte';
import { follow } from './settings.svelte';
import { prepare } from './shell/install.svelte';
import { followLinks } from './shell/place.svelte';
import { keepTexts } from './shell/replaced';
import { removeStartMessage } from './shell/start_message';
import { beginWithType } from './shell/type';

await Promise.all([follow(), beginWithType()]);
layout.follow();
followLinks();
void prepare();
keepTexts();
mount(App, { target: document.getElementById('app')! });
removeStartMessage();
if (__ALONE__) start(); // while people look at the page
