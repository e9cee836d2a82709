"""All of Rage, for a program made by PyInstaller."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules

datas = collect_data_files("rage")
hiddenimports = collect_submodules(
    "rage", filter=lambda name: not name.startswith("rage.cli.frozen")
)
