// The score sheet and the trick judge: a page of its own, which needs no server once it is open.

import { mount } from 'svelte';
import '../style/tokens.css';
import '../style/base.css';
import './print.css';
import { layout } from '../layout.svelte';
import { follow } from '../settings.svelte';
import { keepTexts } from '../shell/replaced';
import { removeStartMessage } from '../shell/start_message';
import { beginWithType } from '../shell/type';
import App from './App.svelte';
import { keepFiles } from './files';

await Promise.all([follow(), beginWithType()]);
layout.follow();
keepTexts();
mount(App, { target: document.getElementById('app')! });
removeStartMessage();
keepFiles();
